import { existsSync } from 'node:fs';

// Only the npm scripts preload this module, so that tests and releases never read a developer's .env file.
if (existsSync('.env')) process.loadEnvFile('.env');
