import { useEffect, useRef } from 'react';
import type { ExportRecord } from '../../contract/exports.ts';

/** Calls back once for each export that was being made and is no longer. */
export function useFinished(records: ExportRecord[] | undefined, onFinished: (record: ExportRecord) => void): void {
  const running = useRef(new Set<string>());
  useEffect(() => {
    for (const record of records ?? []) {
      if (record.estado === 'en_curso') running.current.add(record.id);
      else if (running.current.delete(record.id)) onFinished(record);
    }
  });
}
