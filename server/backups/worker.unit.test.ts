import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { backupFailure } from './failure.ts';
import { runWorker } from './worker.ts';

const folder = mkdtempSync(join(tmpdir(), 'enruta-worker-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Creates a worker that runs `code` when it receives `work`. */
function worker(code: string): URL {
  const path = join(folder, 'worker.mjs');
  writeFileSync(path, `process.on('disconnect', () => process.exit()); process.once('message', (work) => { ${code} });`);
  return pathToFileURL(path);
}

it('a worker reports progress and outcome', async () => {
  const steps: unknown[] = [];
  const file = worker("process.send({ step: ['leyendo', 1, work.rows] }); process.send({ done: work.rows });");
  expect(await runWorker(file, { rows: 3 }, (...step) => void steps.push(step))).toEqual({ done: 3 });
  expect(steps).toEqual([['leyendo', 1, 3]]);
});

it('a killed worker fails with a sentence, without ending the main process', async () => {
  const killed = runWorker(worker("process.kill(process.pid, 'SIGKILL');"), {}, () => {});
  const error = await killed.catch((thrown: unknown) => thrown);
  expect(backupFailure(error, folder)).toBe(
    'No se pudo hacer: su proceso se ha cortado (SIGKILL), quizá por falta de memoria. Haz otra; si vuelve a fallar, enseña esta frase a quien lleva el servidor.',
  );
});
