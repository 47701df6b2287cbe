import { Button, Group, Paper, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import { readStored, store } from '../../stored.ts';
import classes from './new.module.css';

const KEPT = 'mas-datos';
const read = () => readStored(KEPT) === 'abierto';
const keep = (open: boolean) => store(KEPT, open ? 'abierto' : 'cerrado');

type Props = {
  /** Filled-in fields, in words, shown while the section is folded. */
  said: readonly string[];
  /** Opens the section, because one of its fields needs attention. */
  wanted: boolean;
  children: ReactNode;
};

/** «Más datos»: the fields that few orders need. The browser remembers whether the section is open. */
export function MoreFields({ said, wanted, children }: Props) {
  const [kept, setKept] = useState(read);
  const open = kept || wanted;
  const id = useId();
  const Chevron = open ? IconChevronDown : IconChevronRight;
  function toggle() {
    setKept(!open);
    keep(!open);
  }
  return (
    <Paper p="md" className={classes.more}>
      <Group>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Chevron size={16} stroke={1.8} aria-hidden />}
          aria-expanded={open}
          aria-controls={id}
          onClick={toggle}
        >
          Más datos
        </Button>
        {!open && (
          <Text c="dimmed" flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
            {said.join(' · ')}
          </Text>
        )}
      </Group>
      <div id={id} hidden={!open}>
        {open && <div className={classes.further}>{children}</div>}
      </div>
    </Paper>
  );
}
