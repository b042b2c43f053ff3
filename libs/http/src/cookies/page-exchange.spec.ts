import { describe, expect, it } from 'vitest';
import { isOwnPage, type PageExchange } from './page-exchange.js';

const pageOf = (facts: Partial<PageExchange>): PageExchange => ({
  origin: undefined,
  isSameOrigin: false,
  protocol: 'http',
  host: 'kb.lan:8000',
  readCookie: () => undefined,
  setCookie: () => undefined,
  answerNothing: () => undefined,
  ...facts,
});

describe('a page', () => {
  it.each([
    [{ origin: 'http://kb.lan:8000' }, undefined],
    [{ origin: 'https://kb.lan:8000', protocol: 'https' }, undefined],
    [{ origin: 'https://kb.example.com' }, 'https://kb.example.com/below/'],
    [{ origin: 'https://kb.example.com', isSameOrigin: true }, undefined],
  ])('is the own one: %j, PUBLIC_URL %s', (facts, publicUrl) => {
    expect(isOwnPage(pageOf(facts), publicUrl)).toBe(true);
  });

  it.each([
    [{}, undefined],
    [{ isSameOrigin: true }, 'https://kb.example.com'],
    [{ origin: 'null' }, undefined],
    [{ origin: 'https://kb.lan:8000' }, undefined],
    [{ origin: 'http://kb.lan' }, undefined],
    [{ origin: 'http://kb.lan:8000.evil.example' }, undefined],
    [{ origin: 'https://evil.example' }, 'https://kb.example.com'],
    [{ origin: 'http://kb.example.com' }, 'https://kb.example.com'],
  ])('is none: %j, PUBLIC_URL %s', (facts, publicUrl) => {
    expect(isOwnPage(pageOf(facts), publicUrl)).toBe(false);
  });
});
