import { decodeText } from '../sheets/text-file.ts';
import { isCamt, readCamt } from './camt053.ts';
import { isNorma43, readNorma43 } from './norma43.ts';
import type { ReadStatement } from './read-statement.ts';
import { BadStatement, creditsIn } from './statement.ts';

/* Reads a bank's file away from the screen, which stays alive. */

self.onmessage = async ({ data }: MessageEvent<File>) => {
  self.postMessage(read(decodeText(new Uint8Array(await data.arrayBuffer()))));
};

function read(text: string): ReadStatement {
  try {
    if (isNorma43(text)) return { formato: 'n43', movimientos: creditsIn(readNorma43(text)) };
    if (isCamt(text)) return { formato: 'camt', movimientos: creditsIn(readCamt(text)) };
    return { formato: 'hoja' };
  } catch (error) {
    return { error: error instanceof BadStatement ? error.message : 'El fichero no se puede leer: descárgalo otra vez del banco.' };
  }
}
