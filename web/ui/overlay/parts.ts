import './mantine.css';
import { Combobox, Menu, Popover, Select, Tooltip } from '@mantine/core';
import { Picker } from '../form/picker.tsx';

export const parts = { Combobox, Menu, Popover, Select, Tooltip, Picker };
