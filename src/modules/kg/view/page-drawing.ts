/** Second part of the page's script: the drawing, by Cytoscape at positions that the service computed; then the page begins. */
export const DRAWING_SCRIPT = `
const SHAPES = { person: 'ellipse', organisation: 'rectangle', place: 'diamond', product: 'hexagon', term: 'triangle', date: 'star' };
/** With more edges than this they are left out while the drawing moves. */
const MANY_EDGES = 3000;
const MANY_NODES = 1000;
const PAUSE_MS = 120;
const largest = data.nodes.reduce((most, { degree }) => Math.max(most, degree), 1);

function styles() {
  const colours = getComputedStyle(document.documentElement);
  const colour = (name) => colours.getPropertyValue('--' + name).trim();
  return [
    { selector: 'node', style: {
      label: 'data(label)', width: 'mapData(degree, 0, ' + largest + ', 14, 48)', height: 'mapData(degree, 0, ' + largest + ', 14, 48)',
      color: colour('text'), 'font-size': 12, 'min-zoomed-font-size': 8, 'text-wrap': 'ellipsis', 'text-max-width': '140px',
      'text-outline-color': colour('page'), 'text-outline-width': 2, 'border-width': 1, 'border-color': colour('page') } },
    ...Object.entries(SHAPES).map(([type, shape]) => ({
      selector: 'node[type = "' + type + '"]', style: { shape, 'background-color': colour(type) } })),
    { selector: 'edge', style: { width: 1, 'curve-style': 'haystack', 'line-color': colour('soft'), opacity: 0.35 } },
    { selector: '.near', style: { 'border-width': 3, 'border-color': colour('mark'), 'min-zoomed-font-size': 4 } },
    { selector: 'edge.near', style: { 'line-color': colour('mark'), opacity: 1, width: 2 } },
    { selector: '.chosen', style: { 'border-width': 5, 'border-color': colour('text'), 'min-zoomed-font-size': 0, 'font-weight': 'bold' } },
    { selector: '.off', style: { display: 'none' } },
  ];
}

const cy = cytoscape({
  container: part('drawing'),
  elements: {
    nodes: data.nodes.map(({ label, type, degree, x, y }, at) => ({ data: { id: 'n' + at, label, type, degree }, position: { x, y } })),
    edges: data.edges.map(([source, target], at) => ({ data: { id: 'e' + at, source: 'n' + source, target: 'n' + target } })),
  },
  layout: { name: 'preset', fit: true, padding: 30 },
  style: styles(),
  minZoom: 0.02,
  maxZoom: 4,
  autounselectify: true,
  boxSelectionEnabled: false,
  hideEdgesOnViewport: data.edges.length > MANY_EDGES,
  pixelRatio: data.nodes.length > MANY_NODES ? 1 : 'auto',
});
cy.on('tap', 'node', ({ target }) => choose(Number(target.id().slice(1))));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => cy.style(styles()));

let awaited = [];
let waiting;

/** The list follows every keystroke at once; drawing a large graph takes long, so it waits for a pause. */
function showInDrawing(shown) {
  awaited = shown;
  clearTimeout(waiting);
  waiting = setTimeout(drawAwaited, PAUSE_MS);
}

function drawAwaited() {
  clearTimeout(waiting);
  cy.batch(() => {
    for (const [at, is] of awaited.entries()) cy.getElementById('n' + at).toggleClass('off', !is);
  });
}

function chooseInDrawing(at, others) {
  const node = cy.getElementById('n' + at);
  cy.batch(() => {
    cy.elements('.chosen, .near').removeClass('chosen near');
    node.addClass('chosen');
    for (const other of others) cy.getElementById('n' + other).addClass('near');
    node.connectedEdges().addClass('near');
  });
  const { x1, y1, x2, y2 } = cy.extent();
  const { x, y } = node.position();
  if (x < x1 || x > x2 || y < y1 || y > y2) cy.center(node);
}

function zoomBy(factor) {
  cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
}
part('closer').addEventListener('click', () => zoomBy(1.4));
part('further').addEventListener('click', () => zoomBy(1 / 1.4));
part('whole').addEventListener('click', () => {
  drawAwaited();
  cy.fit(cy.elements(':visible'), 30);
});

part('dataset').textContent = data.dataset;
document.title = 'Knowledge graph: ' + data.dataset;
part('summary').textContent = data.nodes.length === 0
  ? 'There is nothing to draw: no entity matches, or no searchable document has been extracted.'
  : data.nodes.length + ' of ' + data.total.nodes + ' entities and ' + data.edges.length + ' of ' + data.total.edges + ' connections'
    + (data.truncated ? '. The documents name more entities than a graph holds.' : '.');
update();
`;
