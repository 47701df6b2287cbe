import { expect, it } from 'vitest';
import { refuseTightDisks } from './room.ts';

const GB = 2 ** 30;
const disk = (free: number, all: number) => () => ({ bavail: free * GB, blocks: all * GB, bsize: 1 });

it('a disk with less than 1 GB free is reported, as is a small disk with less than a tenth free', () => {
  const look = (free: number, all: number) => () => refuseTightDisks(['/data'], disk(free, all));
  expect(look(2, 10)).not.toThrow();
  expect(look(0.9, 2)).toThrow('MB libres en el disco de /data');
  expect(look(1.5, 20)).toThrow('1.536 MB libres en el disco de /data');
  expect(look(6, 1000)).not.toThrow();
});

it('the disk of each folder is checked', () => {
  const free: Record<string, number> = { '/data': 50, '/copias': 0.5 };
  expect(() => refuseTightDisks(['/data', '/copias'], (folder) => disk(free[folder] ?? 0, 100)())).toThrow('/copias');
});
