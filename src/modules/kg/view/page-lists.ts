/**
 * First part of the page's script: the list of entities, search, types and details. All of the graph is put into the page as text. The second part
 * defines `showInDrawing` and `chooseInDrawing`.
 */
export const LISTS_SCRIPT = `
const data = JSON.parse(document.getElementById('data').textContent);
const MARKS = { person: '\\u25cf', organisation: '\\u25a0', place: '\\u25c6', product: '\\u2b22', term: '\\u25b2', date: '\\u2605' };
const MOST_NEIGHBOURS = 100;
const part = (id) => document.getElementById(id);
const neighbours = data.nodes.map(() => []);
const off = new Set();
let chosen = -1;
let current = 0;

for (const [source, target, relation, count, file, start, end] of data.edges) {
  const edge = { relation, count, place: { document: file, start, end } };
  neighbours[source].push({ ...edge, other: target, from: true });
  neighbours[target].push({ ...edge, other: source, from: false });
}

function make(tag, text, more) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  return Object.assign(element, more);
}

function markOf(type) {
  const mark = make('span', MARKS[type], { className: 'mark ' + type });
  mark.setAttribute('aria-hidden', 'true');
  return mark;
}

const buttons = data.nodes.map((node, at) => {
  const button = make('button', undefined, { type: 'button', tabIndex: -1, title: node.type });
  button.append(markOf(node.type), make('bdi', node.label));
  button.addEventListener('click', () => choose(at));
  const item = make('li');
  item.append(button);
  part('list').append(item);
  return button;
});
const folded = data.nodes.map(({ label, aliases }) => [label, ...aliases].join('\\n').normalize('NFKC').toLowerCase());

function isShown(at, sought) {
  return !off.has(data.nodes[at].type) && folded[at].includes(sought);
}

function update() {
  const sought = part('search').value.trim().normalize('NFKC').toLowerCase();
  const shown = data.nodes.map((node, at) => isShown(at, sought));
  shown.forEach((is, at) => { buttons[at].parentElement.hidden = !is; });
  part('shown').textContent = shown.filter(Boolean).length + ' of ' + data.nodes.length + ' entities';
  moveTo(shown[current] ? current : shown.indexOf(true), false);
  showInDrawing(shown);
}

/** The one button of the list that Tab reaches. */
function moveTo(at, isFocused) {
  if (buttons[at] === undefined) return;
  buttons[current].tabIndex = -1;
  current = at;
  buttons[at].tabIndex = 0;
  if (isFocused) buttons[at].focus();
}

function neighbourInList(step) {
  for (let at = current + step; at >= 0 && at < buttons.length; at += step) {
    if (!buttons[at].parentElement.hidden) return at;
  }
  return -1;
}

const KEYS = {
  ArrowDown: () => neighbourInList(1),
  ArrowUp: () => neighbourInList(-1),
  Home: () => buttons.findIndex((button) => !button.parentElement.hidden),
  End: () => buttons.findLastIndex((button) => !button.parentElement.hidden),
};
part('list').addEventListener('keydown', (event) => {
  const next = KEYS[event.key];
  if (next === undefined) return;
  event.preventDefault();
  moveTo(next(), true);
});
part('search').addEventListener('keydown', (event) => {
  if (event.key !== 'ArrowDown') return;
  event.preventDefault();
  moveTo(current, true);
});
part('search').addEventListener('input', update);

for (const type of [...new Set(data.nodes.map((node) => node.type))].sort()) {
  const box = make('input', undefined, { type: 'checkbox', checked: true, name: type });
  box.addEventListener('change', () => {
    if (box.checked) off.delete(type);
    else off.add(type);
    update();
  });
  const label = make('label');
  label.append(box, ' ', markOf(type), type);
  part('types').append(label);
}

function choose(at) {
  if (chosen >= 0) buttons[chosen].removeAttribute('aria-current');
  chosen = at;
  buttons[at].setAttribute('aria-current', 'true');
  moveTo(at, false);
  buttons[at].scrollIntoView({ block: 'nearest' });
  showDetails(at);
  chooseInDrawing(at, neighbours[at].map(({ other }) => other));
}

function showDetails(at) {
  const { label, type, aliases, degree, count, community, places } = data.nodes[at];
  part('name').replaceChildren(make('bdi', label));
  const facts = make('dl');
  const told = { Type: type, 'Other names': aliases.join(', '), Neighbours: degree, Places: count, Community: community };
  for (const [term, value] of Object.entries(told)) {
    if (value !== '') facts.append(make('dt', term), make('dd', String(value)));
  }
  const evidence = make('ul');
  for (const place of places) evidence.append(itemOf(place));
  const near = make('ul');
  for (const one of neighbours[at].slice(0, MOST_NEIGHBOURS)) near.append(neighbourOf(one));
  const parts = [facts, make('h3', 'Evidence'), evidence];
  if (count > places.length) parts.push(make('p', places.length + ' of ' + count + ' places.', { className: 'soft' }));
  parts.push(make('h3', 'Belongs together with'), near);
  if (neighbours[at].length === 0) parts.push(make('p', 'Nothing in this part of the graph.', { className: 'soft' }));
  part('detail').replaceChildren(...parts);
  part('details').scrollTop = 0;
}

/** A place: its document, the quoted text and a link to it. */
function itemOf(place) {
  const item = make('li');
  item.append(make('bdi', data.documents[place.document][1] ?? data.documents[place.document][0]));
  if (place.named !== undefined) {
    const quote = make('blockquote');
    quote.append(place.before, make('mark', place.named), place.after);
    item.append(quote);
  }
  item.append(make('br'), addressOf(place));
  return item;
}

/** Link to the passage around a place; a file on disk cannot link there, so it shows the address. */
function addressOf({ document: number, start, end }) {
  const [from, to] = [Math.max(0, start - 200), end + 200];
  const path = 'documents/' + data.documents[number][0] + '/text?start=' + from + '&end=' + to;
  if (!location.protocol.startsWith('http')) return make('span', 'GET /api/v1/' + path, { className: 'address' });
  return make('a', '/api/v1/' + path, { href: '../../' + path, className: 'address' });
}

function neighbourOf({ other, relation, from, count, place }) {
  const item = make('li');
  const button = make('button', undefined, { type: 'button', className: 'other' });
  button.append(make('bdi', data.nodes[other].label));
  button.addEventListener('click', () => choose(other));
  const arrow = relation === 'related_to' ? '' : from ? ' \\u2192' : ' \\u2190';
  item.append(button, ' ', make('span', relation + arrow + ', ' + count + (count === 1 ? ' place' : ' places'), { className: 'soft' }));
  item.append(make('br'), addressOf(place));
  return item;
}
`;
