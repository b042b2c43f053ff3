/**
 * Loaded first by services of tests: a password costs microseconds there, where scrypt takes a third of a second of processor time for each
 * that is set or typed. Only what such services have hashed themselves can be checked by them. What a hash costs in truth, and that it is
 * checked with its own costs, is tested beside `PasswordHasher`; a service of a spec that says `fromNothing` runs without this.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { scrypt } = crypto;
crypto.scrypt = (password, salt, bytes, options, done) =>
  scrypt(password, salt, bytes, { ...options, N: 2, p: 1 }, done);
syncBuiltinESMExports();
