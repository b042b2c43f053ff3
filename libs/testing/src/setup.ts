import 'reflect-metadata';
import fc from 'fast-check';

// The same cases at every run: a red run can be repeated, and a green one says the same everywhere.
fc.configureGlobal({ seed: 20_261_121 });
