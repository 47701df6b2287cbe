import classes from './command-box.module.css';
import type { Entry, Group } from './entries.ts';

type Props = { id: string; groups: Group[]; active: Entry | undefined; onActive: (entry: Entry) => void; onPick: (entry: Entry) => void };

export const optionId = (list: string, { id }: Entry) => `${list}-${id}`;

/** Grouped results. The focus stays in the field, whose aria-activedescendant is the active option. */
export function OptionList({ id, groups, active, onActive, onPick }: Props) {
  return (
    <div role="listbox" id={id} aria-label="Resultados" className={classes.list}>
      {groups.map(({ label, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
        <div key={label} role="group" aria-labelledby={`${id}-${label}`}>
          <div id={`${id}-${label}`} className={classes.label}>
            {label}
          </div>
          {entries.map((entry) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the active option
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={entry.id}
              id={optionId(id, entry)}
              role="option"
              aria-selected={entry === active}
              className={classes.option}
              // Keeps the focus in the field.
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => entry !== active && onActive(entry)}
              onClick={() => onPick(entry)}
            >
              <span className={classes.icon} aria-hidden>
                <entry.icon size={18} stroke={1.7} />
              </span>
              <span className={classes.text}>{entry.label}</span>
              {entry.hint && <span className={classes.hint}>{entry.hint}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
