import { useEffect, useRef } from 'react';

/** Calls back once for each record that was being made and is no longer. */
export function useFinished<T extends { id: string; estado: string }>(
  records: readonly T[] | undefined,
  onFinished: (record: T) => void,
): void {
  const running = useRef(new Set<string>());
  useEffect(() => {
    for (const record of records ?? []) {
      if (record.estado === 'en_curso') running.current.add(record.id);
      else if (running.current.delete(record.id)) onFinished(record);
    }
  });
}
