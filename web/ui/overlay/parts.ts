import './mantine.css';
import { Menu, Select, Tooltip } from '@mantine/core';
import { Picker } from '../form/picker.tsx';

export const parts = { Menu, Select, Tooltip, Picker };
