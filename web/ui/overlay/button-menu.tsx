import type { Menu as MenuType } from '@mantine/core';
import { cloneElement, type ReactElement, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { overlays } from './overlays.ts';

type Target = ReactElement<{ ref?: Ref<HTMLButtonElement>; onClick?: () => void; 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>;
type Props = { target: Target; width?: string; children: (Menu: typeof MenuType) => ReactNode };

/** A button and its menu, which is made when it is pressed. */
export function ButtonMenu({ target, ...menu }: Props) {
  const [pressed, setPressed] = useState(false);
  const parts = overlays.useParts(pressed);
  if (parts && pressed) return <Opened Menu={parts.Menu} target={target} {...menu} />;
  return cloneElement(target, { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick: () => setPressed(true) });
}

function Opened({ Menu, target, width, children }: Props & { Menu: typeof MenuType }) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // The button is another one now: the focus returns to it when the menu closes.
  useEffect(() => {
    button.current?.focus({ preventScroll: true });
    setOpened(true);
  }, []);
  return (
    <Menu {...(width && { width })} withInitialFocusPlaceholder={false} opened={opened} onChange={setOpened}>
      <Menu.Target>{cloneElement(target, { ref: button })}</Menu.Target>
      <Menu.Dropdown>{children(Menu)}</Menu.Dropdown>
    </Menu>
  );
}
