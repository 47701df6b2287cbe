import './mantine.css';
import { Menu, Popover, Select, Tooltip } from '@mantine/core';
import { Picker } from '../form/picker.tsx';

export const parts = { Menu, Popover, Select, Tooltip, Picker };
