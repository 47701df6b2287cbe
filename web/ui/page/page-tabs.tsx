import '@mantine/core/styles/Tabs.css';
import { Tabs } from '@mantine/core';
import type { IconUser } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { usePhone } from './use-phone.ts';

type Props = {
  tabs: readonly { value: string; label: string; Icon?: typeof IconUser }[];
  open: string;
  onOpen: (value: string) => void;
  children: ReactNode;
};

/** Tabs of a screen; on a phone without icons, and over the full width if they are three. */
export function PageTabs({ tabs, open, onOpen, children }: Props) {
  const phone = usePhone();
  return (
    <Tabs value={open} onChange={(value) => value && onOpen(value)} keepMounted={false}>
      <Tabs.List mb="md" grow={phone && tabs.length <= 3}>
        {tabs.map(({ value, label, Icon }) => (
          <Tabs.Tab
            key={value}
            value={value}
            px={phone ? 4 : undefined}
            leftSection={Icon && !phone && <Icon size={16} stroke={1.8} aria-hidden />}
          >
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel key={open} value={open}>
        {children}
      </Tabs.Panel>
    </Tabs>
  );
}
