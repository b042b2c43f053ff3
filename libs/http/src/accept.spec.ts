import { describe, expect, it } from 'vitest';
import { prefersJson } from './accept.js';

describe('events', () => {
  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json, text/plain, */*',
    'application/json;q=0.9, text/event-stream;q=0.5',
    'application/json, text/event-stream;q=0',
    'text/event-stream;q=0, application/json;q=0.1',
    'text/event-stream;q=0',
    '*/*, text/event-stream; q=0.000',
    'application/*',
    'text/*;q=0.3, */*;q=0.5',
  ])('are a list for %j', (accept) => {
    expect(prefersJson(accept)).toBe(true);
  });

  it.each([
    undefined,
    '',
    '*/*',
    'text/event-stream',
    'application/json, text/event-stream',
    'application/json;q=0.5, text/event-stream',
    'application/json;q=0, text/event-stream;q=0',
    'application/json;q=0',
    'application/json;q=0, */*',
    'text/event-stream;q=0.2, application/json;q=0.1',
    'text/html',
    ';;,q=,/',
  ])('are a stream for %j', (accept) => {
    expect(prefersJson(accept)).toBe(false);
  });
});
