import { describe, expect, it } from 'vitest';
import { findMisspeltSettings } from '#libs/config';
import { ADAPTERS } from './adapters.js';

const misspeltIn = (environment: Record<string, string>): string[] =>
  findMisspeltSettings(ADAPTERS, environment).map(({ name, setting }) => `${name}: ${setting}`);

describe('misspelt settings', () => {
  it('are names that are nearly those of settings, of adapters too', () => {
    expect(misspeltIn({ CORS_ORIGIN: '*', ELASTICSEARCH_ULR: 'http://x', VECTOR_STRE: 'lancedb' })).toEqual([
      'CORS_ORIGIN: CORS_ORIGINS',
      'ELASTICSEARCH_ULR: ELASTICSEARCH_URL',
      'VECTOR_STRE: VECTOR_STORE',
    ]);
  });

  it('are none that have their own meaning, nor one beside the setting itself', () => {
    expect(
      misspeltIn({
        CORS_ORIGIN: '*',
        CORS_ORIGINS: 'https://app.example.com',
        DATABASE_URL: 'postgres://x',
        PATH: '/bin',
        PORT: '80',
        HOME: '/var/lib/kb',
        HOSTNAME: 'a',
        POSTGRES_PASSWORD: 'x',
        NODE_ENV: 'production',
      }),
    ).toEqual([]);
  });
});
