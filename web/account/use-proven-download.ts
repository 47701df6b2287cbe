import { useState } from 'react';
import { requireProof } from '../../contract/account/account.ts';
import { ApiError, call, STEP_UP } from '../api.ts';
import { toast } from '../ui/page/toast.tsx';

/** Downloads a file that requires the password. Prompts before the download: the browser fetches the file, so we cannot retry. */
export function useProvenDownload() {
  const [isPending, setPending] = useState(false);
  const download = async (href: string, name = '') => {
    setPending(true);
    try {
      await call(requireProof, {});
      Object.assign(document.createElement('a'), { href, download: name }).click();
    } catch (error) {
      // `STEP_UP` means that the person cancelled: no message is needed.
      if (error instanceof ApiError && error.code !== STEP_UP) toast.failure(error);
    } finally {
      setPending(false);
    }
  };
  return { download, isPending };
}
