import { existsSync } from 'node:fs';

// Preloaded by npm's scripts only, so that tests and releases never read a developer's file.
if (existsSync('.env')) process.loadEnvFile('.env');
