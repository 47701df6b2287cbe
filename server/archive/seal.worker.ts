import { once } from 'node:events';
import { encryptChunks, type Key } from '../backups/encrypt.ts';

process.once('disconnect', () => process.exit());
const [{ text, key }] = (await once(process, 'message')) as [{ text: string; key: Key }];
const parts: Buffer[] = [];
for await (const part of encryptChunks(only(text), key)) parts.push(part);
process.send?.(Buffer.concat(parts));

async function* only(whole: string) {
  yield Buffer.from(whole);
}
