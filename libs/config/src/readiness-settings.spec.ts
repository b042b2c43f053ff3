import { describe, expect, it } from 'vitest';
import { READINESS_SETTINGS } from './readiness-settings.js';

const { readinessRequires } = READINESS_SETTINGS;

describe('READINESS_REQUIRES', () => {
  it('is the list of the specification unless something is said', () => {
    expect(readinessRequires.fallback).toEqual(['database', 'vector_backend', 'cache', 'object_storage']);
  });

  it('lets cache and object_storage be left out, in any order', () => {
    expect(readinessRequires.parse('vector_backend, database')).toEqual(['database', 'vector_backend']);
    expect(readinessRequires.parse('cache,database,vector_backend')).toEqual(['database', 'vector_backend', 'cache']);
  });

  it.each(['cache', 'database', 'database,vector_backend,task_queue', 'database;vector_backend', 'all', ',', 'none'])(
    'refuses %s',
    (text) => {
      expect(() => readinessRequires.parse(text)).toThrow('must name database and vector_backend');
    },
  );
});
