import { type Format, keepFormat, listFormats } from '../../contract/sheets/formats.ts';
import { useApi, useMutate } from '../api.ts';
import { countTargets, headingKey, type Use } from './headings.ts';
import { type Answers, NO_ANSWERS } from './reading.ts';
import type { CountKnown } from './table.ts';

/** Headings as formats are told apart by them; the number of columns for a file without headings. */
const titlesKey = (titles: readonly string[] | null, width: number) => (titles?.map(headingKey).join('|') ?? String(width)).slice(0, 8000);

/**
 * What has been answered about earlier files of this use and source. `known` counts the known headings of a row, `answersFor` finds the answers
 * for a file, `keep` stores them.
 */
export function useKeptAnswers(uso: Use, origen = '') {
  const formats = useApi(listFormats, {});
  const save = useMutate(keepFormat, { success: false, failure: 'No se pudo guardar lo que has contestado', invalidates: [listFormats] });
  const own = formats.data?.data.filter((each) => each.uso === uso && each.origen === origen) ?? [];
  const of = (titulos: string) => own.find((each) => each.titulos === titulos);
  const known: CountKnown = (row) => (of(titlesKey(row, row.length)) ? row.length : countTargets(uso, row));
  return {
    loading: formats.isPending,
    known,
    answersFor: (titles: readonly string[] | null, width: number): Answers => ({
      ...NO_ANSWERS,
      ...of(titlesKey(titles, width))?.respuestas,
    }),
    keep: (titles: readonly string[] | null, width: number, answers: Answers) => {
      // JSON has no undefined, and the readonly records of the screen are plain records.
      const respuestas = JSON.parse(JSON.stringify(answers)) as Format['respuestas'];
      save.mutate({ body: { uso, origen, titulos: titlesKey(titles, width), respuestas } });
    },
  };
}
