import { asCamt, asNorma43, makeMonth } from '../test/bank-month.ts';
import { readCamt } from '../web/banco/camt053.ts';
import { readNorma43 } from '../web/banco/norma43.ts';
import { creditsIn, partsByDay } from '../web/banco/statement.ts';

/* Reads a bank's statement of 20,000 movements as the browser's worker does, in both formats (sheet.ts runs it). */

const MOVEMENTS = 20_000;
const { credits } = makeMonth(1);
const many = Array.from({ length: MOVEMENTS }, (_, i) => ({ ...credits[i % credits.length], cents: i + 1 }) as (typeof credits)[number]);
const formats = { 'Norma 43': [asNorma43(many), readNorma43], 'camt.053': [asCamt(many, '08'), readCamt] } as const;

for (const [name, [text, read]] of Object.entries(formats)) {
  const times = Array.from({ length: 4 }, () => {
    const since = performance.now();
    const parts = partsByDay(creditsIn(read(text)), 500);
    if (parts.flat().length !== MOVEMENTS) throw new Error(`${name}: ${parts.flat().length} movements`);
    return Math.round(performance.now() - since);
  });
  console.log(`${name}: ${MOVEMENTS} movements, ${Math.round(text.length / 1e6)} MB, in ${times.join(', ')} ms`);
}
