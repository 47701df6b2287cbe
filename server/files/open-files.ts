import type { Config } from '../kit/config.ts';
import { diskFiles } from './disk.ts';
import { s3Files } from './s3.ts';
import type { Files } from './store.ts';

/** The store of the configuration: a bucket if `S3_…` is set, else a folder. */
export const openFiles = ({ s3, filesDir }: Pick<Config, 's3' | 'filesDir'>): Files => (s3 ? s3Files(s3) : diskFiles(filesDir));
