import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** What the demonstration takes from the file: where to listen, and nothing of the shop, such as its data, its bucket or its keys. */
const OF_DEMO = ['PORT', 'HOST', 'LOG_LEVEL', 'METRICS_PORT', 'METRICS_HOST', 'TRUST_PROXY'];

// Only the npm scripts preload this module, so that tests and releases never read a developer's .env file.
const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
const left = process.argv.includes('--demo') ? Object.keys(file).filter((name) => !OF_DEMO.includes(name)) : [];
for (const [name, value] of Object.entries(file)) if (!left.includes(name)) process.env[name] ??= value;
if (left.length) console.log(`La demostración no toma de .env lo que es de la tienda: ${left.toSorted().join(', ')}.`);
