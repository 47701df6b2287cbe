import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Key } from '../backups/encrypt.ts';

/** Encrypts `text` as a backup is. In a process of its own: stretching the secret takes 64 MB, which this one would keep for good. */
export async function sealAside(text: string, key: Key): Promise<Buffer> {
  const child = fork(new URL('./seal.worker.ts', import.meta.url), { serialization: 'advanced', execArgv: [] });
  const ended = new AbortController();
  child.once('exit', (code, signal) => ended.abort(new Error(`the process that seals the key ended (${signal ?? code})`)));
  try {
    child.send({ text, key });
    const [sealed] = (await once(child, 'message', { signal: ended.signal })) as [Uint8Array];
    return Buffer.from(sealed);
  } catch (error) {
    throw ended.signal.aborted ? ended.signal.reason : error;
  } finally {
    child.kill('SIGKILL');
  }
}
