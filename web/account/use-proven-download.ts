import { useState } from 'react';
import { requireProof } from '../../contract/account/account.ts';
import { ApiError, call, STEP_UP } from '../api.ts';
import { toast } from '../ui/page/toast.tsx';

/** Downloads a file that demands the password. Asks first, because the browser fetches files itself: we cannot prompt and retry. */
export function useProvenDownload() {
  const [isPending, setPending] = useState(false);
  const download = async (href: string, name = '') => {
    setPending(true);
    try {
      await call(requireProof, {});
      Object.assign(document.createElement('a'), { href, download: name }).click();
    } catch (error) {
      // The person cancelled, so no message is needed.
      if (error instanceof ApiError && error.code !== STEP_UP) toast.failure(error);
    } finally {
      setPending(false);
    }
  };
  return { download, isPending };
}
