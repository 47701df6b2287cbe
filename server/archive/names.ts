/*
 * The archive in the bucket, in the folder of its shop (backups/shop.ts). A chain is a base backup and every piece of the log since,
 * without a gap. The names alone say what can be restored:
 *
 *   wal/CHAIN/key.enc                            random key of the chain, encrypted like a backup
 *   wal/CHAIN/base/TIME-FIRST-LAST.tar.gz.enc    PostgreSQL's files, consistent at TIME, which need the pieces FIRST to LAST
 *   wal/CHAIN/base/TIME-FIRST-LAST.json.enc      backup label; written last, so that its presence means a complete base
 *   wal/CHAIN/log/PIECE-TIME.gz.enc              16 MB of the write-ahead log, which end at TIME
 */

/** `at`: ms since 1970. `first` and `last`: pieces that the base needs. */
export type Base = { chain: string; name: string; at: number; first: string; last: string };
/** `name`: of the log's file, or of a timeline's history. `at`: end of the piece, ms since 1970. */
export type Piece = { chain: string; name: string; at: number; key: string; size: number };
/** The chains of a shop, by id. */
export type Archive = Map<string, { hasKey: boolean; bases: Base[]; pieces: Piece[] }>;

const TIME = String.raw`\d{8}T\d{9}Z`;
const SEGMENT = '[0-9A-F]{24}';
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const STORED = new RegExp(
  `^wal/(?<chain>${UUID})/(?:key\\.enc|base/(?<base>(?<from>${TIME})-(?<first>${SEGMENT})-(?<last>${SEGMENT}))\\.(?<part>tar\\.gz|json)\\.enc|` +
    `log/(?<piece>${SEGMENT}|[0-9A-F]{8}\\.history)-(?<until>${TIME})\\.gz\\.enc)$`,
);

export const keyAt = (chain: string): string => `wal/${chain}/key.enc`;
export const pieceAt = (chain: string, name: string, at: number): string => `wal/${chain}/log/${name}-${stamp(at)}.gz.enc`;
export const baseAt = (chain: string, name: string, what: 'tar.gz' | 'json'): string => `wal/${chain}/base/${name}.${what}.enc`;
/** Prefix of every object of a piece, whatever its time. */
export const piecePrefix = (chain: string, name: string): string => `wal/${chain}/log/${name}-`;
export const baseName = (at: number, first: string, last: string): string => `${stamp(at)}-${first}-${last}`;

const stamp = (at: number) => new Date(Math.floor(at)).toISOString().replace(/[-:.]/g, '');
const momentOf = (text: string) => Date.parse(text.replace(/(....)(..)(..)T(..)(..)(..)(...)Z/, '$1-$2-$3T$4:$5:$6.$7Z'));

/** Returns the chains among the objects of a shop's folder. Ignores every name that is not the archive's own. */
export function readArchive(objects: readonly { key: string; size: number }[], folder: string): Archive {
  const all: Archive = new Map();
  const complete = new Set(objects.flatMap(({ key }) => (key.endsWith('.json.enc') ? [key.slice(0, -'.json.enc'.length)] : [])));
  for (const { key, size } of objects) {
    const found = key.startsWith(folder) ? STORED.exec(key.slice(folder.length))?.groups : undefined;
    if (!found?.chain) continue;
    const { chain, base, from, first = '', last = '', part, piece, until } = found;
    const its = all.get(chain) ?? { hasKey: false, bases: [], pieces: [] };
    all.set(chain, its);
    if (piece && until) its.pieces.push({ chain, name: piece, at: momentOf(until), key, size });
    else if (!base || !from) its.hasKey = true;
    else if (part === 'tar.gz' && complete.has(key.slice(0, -'.tar.gz.enc'.length)))
      its.bases.push({ chain, name: base, at: momentOf(from), first, last });
  }
  for (const { pieces } of all.values()) pieces.sort((a, b) => (a.key < b.key ? -1 : 1));
  return all;
}

/** Complete bases of all chains, newest first. */
export const completeBases = (archive: Archive): Base[] =>
  [...archive.values()].flatMap(({ bases }) => bases).toSorted((a, b) => b.at - a.at);

/** Pieces of 16 MB per log number. */
const PIECES = 0x100;

/** True without `last`, and if `piece` is `last` or the next piece. Timeline history files do not break a chain. */
export function followsPiece(piece: string, last: string | undefined): boolean {
  if (!last || !isPiece(piece)) return true;
  const [number, at] = [Number.parseInt(last.slice(8, 16), 16), Number.parseInt(last.slice(16), 16)];
  const [nextNumber, nextAt] = at + 1 < PIECES ? [number, at + 1] : [number + 1, 0];
  return piece === last || piece === `${last.slice(0, 8)}${hex(nextNumber)}${hex(nextAt)}`;
}
const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
export const isPiece = (name: string): boolean => !name.includes('.');

/** First position of a piece in the log, as PostgreSQL writes positions. */
export const firstPosition = (piece: string): string => `${piece.slice(8, 16)}/${piece.slice(22)}000000`;

/** Returns the keys that no restore to a moment of the last `days` needs. Spares the current chain while it has no base. */
export function expiredKeys(keys: readonly string[], folder: string, current: string, days: number, now = Date.now()): string[] {
  const bases = completeBases(
    readArchive(
      keys.map((key) => ({ key, size: 0 })),
      folder,
    ),
  );
  const since = now - days * 86_400_000;
  const kept = bases.filter(({ at }, i) => at > since || bases.slice(0, i).every((newer) => newer.at > since));
  return keys.filter((key) => {
    const { chain, base, piece } = (key.startsWith(folder) && STORED.exec(key.slice(folder.length))?.groups) || {};
    const own = kept.filter((each) => each.chain === chain);
    if (!chain || (own.length === 0 && chain === current)) return false;
    if (own.length === 0) return true;
    if (base) return !own.some(({ name }) => name === base);
    const oldest = own.map(({ first }) => first).toSorted()[0] ?? '';
    return piece !== undefined && isPiece(piece) && piece < oldest;
  });
}
