import { number } from './format.ts';

export const sizeText = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 ** 2
      ? `${number(Math.round(bytes / 1024))} KB`
      : `${(bytes / 1024 ** 2).toFixed(1).replace('.', ',')} MB`;
