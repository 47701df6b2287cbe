import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { EstadoRow } from '../contract/pedidos/estados.ts';

/** Two estados that the program does not have: a paid order that must not leave yet, and one that came back. */
export const MORE = {
  en_espera: {
    label: 'En Espera',
    color: 'grape',
    group: 'pendiente',
    step: 'confirmado',
    has: ['income'],
    first: ['pedidos'],
    sentence: 'En espera: no sale hasta que la tienda lo diga[. Prometido para el {fecha_estimada}]',
    customer: { title: 'Tu pedido está en espera', text: 'Te avisaremos en cuanto pueda salir.' },
  },
  devuelto: {
    label: 'Devuelto',
    color: 'pink',
    group: 'cancelado',
    step: 'ninguno',
    has: [],
    first: [],
    sentence: 'Devuelto: ha vuelto a la tienda',
    customer: { title: 'Pedido devuelto', text: 'Hemos recibido tu pedido de vuelta.' },
  },
} as const satisfies Record<string, EstadoRow>;

const END_OF_TABLE = '} as const satisfies Record<string, EstadoRow>;';

/** Returns what `load` imports, with `MORE` in the table of estados and no other change of the program. `restoreEstados` takes it out again. */
export async function importWithMoreEstados<T>(load: () => Promise<T>): Promise<T> {
  const source = readFileSync(join(import.meta.dirname, '../contract/pedidos/estados.ts'), 'utf8');
  if (!source.includes(END_OF_TABLE)) throw new Error('The table of estados ends otherwise');
  const rows = Object.entries(MORE).map(([name, row]) => `${name}: ${JSON.stringify(row)},`);
  const longer = stripTypeScriptTypes(source.replace(END_OF_TABLE, `${rows.join('\n')}\n${END_OF_TABLE}`));
  vi.resetModules();
  vi.doMock('../contract/pedidos/estados.ts', () => import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(longer)}`));
  return load();
}

/** Takes `MORE` out again; the next file of tests shares the modules. Register it with `afterAll`: a hook of a hook never runs. */
export function restoreEstados(): void {
  vi.doUnmock('../contract/pedidos/estados.ts');
  vi.resetModules();
}
