import { globSync } from 'node:fs';
import { join } from 'node:path';
import { idParams } from '../../contract/kit.schemas.ts';
import type { EndpointDef, Schemas } from '../../contract/kit.ts';

const FOLDER = join(import.meta.dirname, '../../contract');

type Operation = { name: string; module: string; endpoint: EndpointDef; schemas: Schemas };
/** Every endpoint of the contract, with schemas, name and module. */
export const endpoints: Operation[] = [];
for (const file of globSync('*.ts', { cwd: FOLDER, exclude: ['*.test.ts', '*.schemas.ts'] }).sort()) {
  const exported: Record<string, unknown> = await import(join(FOLDER, file));
  const addresses = Object.entries(exported).filter((entry): entry is [string, EndpointDef] => isEndpoint(entry[1]));
  if (!addresses.length) continue;
  const schemas: Record<string, Schemas> = await import(join(FOLDER, file.replace('.ts', '.schemas.ts')));
  for (const [name, endpoint] of addresses) {
    if (!schemas[name]) throw new Error(`${file} has no schemas for ${name}`);
    const params = endpoint.path.includes('/:id') ? { params: idParams } : {};
    endpoints.push({ name, module: file.replace(/\..*/, ''), endpoint, schemas: { ...params, ...schemas[name] } });
  }
}

function isEndpoint(value: unknown): value is EndpointDef {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'action' in value;
}

const SCHEMAS = new Map(endpoints.map(({ endpoint, schemas }) => [endpoint, schemas]));
/** Returns the schemas of an endpoint; throws if there are none. */
export function schemasOf(endpoint: EndpointDef): Schemas {
  const schemas = SCHEMAS.get(endpoint);
  if (!schemas) throw new Error(`${endpoint.method} ${endpoint.path} has no schemas`);
  return schemas;
}
