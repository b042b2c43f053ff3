import { isNumber, isObject, scalarText, type JsonValue } from './json-value.js';

const GEOMETRIES: ReadonlySet<string> = new Set([
  'Point',
  'MultiPoint',
  'LineString',
  'MultiLineString',
  'Polygon',
  'MultiPolygon',
]);

/** Whether a value is a geometry of GeoJSON (RFC 7946). */
export function isGeometry(value: JsonValue): value is { type: string; coordinates: JsonValue[] } {
  return (
    isObject(value) &&
    typeof value['type'] === 'string' &&
    GEOMETRIES.has(value['type']) &&
    Array.isArray(value['coordinates'])
  );
}

/** A point with its coordinates, anything larger with the number of its positions: no one searches a coastline by digits. */
export function describeGeometry({ type, coordinates }: { type: string; coordinates: JsonValue[] }): string {
  if (type === 'Point') return `Point ${positionText(coordinates)}`;
  return `${type} with ${countPositions(coordinates)} positions`;
}

function positionText(position: readonly JsonValue[]): string {
  return position.map((value) => (isNumber(value) ? scalarText(value) : '')).join(', ');
}

function countPositions(coordinates: readonly JsonValue[]): number {
  if (coordinates.length > 0 && coordinates.every(isNumber)) return 1;
  return coordinates.reduce<number>((sum, inner) => sum + (Array.isArray(inner) ? countPositions(inner) : 0), 0);
}
