import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { EndpointDef } from '../../contract/kit.ts';

const FOLDER = join(import.meta.dirname, '../../contract');

/** Every endpoint the contract exports: its name, and the module that it belongs to. */
export const endpoints: { name: string; module: string; endpoint: EndpointDef }[] = [];
for (const file of globSync('*.ts', { cwd: FOLDER, exclude: ['*.test.ts'] }).sort()) {
  const exported: Record<string, unknown> = await import(join(FOLDER, file));
  for (const [name, value] of Object.entries(exported)) {
    if (isEndpoint(value)) endpoints.push({ name, module: file.replace(/\..*/, ''), endpoint: value });
  }
}

function isEndpoint(value: unknown): value is EndpointDef {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value;
}
