import { useState } from 'react'
import { NumberField, Select } from '@headwater/web-kit'
import type { Tile } from '../../../contract/index.ts'
import { ColorField } from '../../components/ColorField.tsx'
import styles from '../../components/Editor.module.css'
import { FoldedItem } from '../../components/FoldedItem.tsx'
import {
  rowConfig,
  rowIds,
  textAligns,
  textStyles,
  type RowConfig,
  type TableTile,
} from '../../../contract/tiles/table/table-tile.ts'
import { rowNames } from './row-names.ts'

/** How the header, odd and even rows and the footer of a table look. */
export function RowLooks({
  table,
  onChange,
}: {
  table: TableTile
  onChange: (fields: Partial<Tile>, topic?: string) => void
}) {
  const [open, setOpen] = useState('')
  return (
    <>
      <p className={styles.heading}>Row styles</p>
      {rowIds.map((id) => {
        const isOpen = open === id
        const name = rowNames[id]
        const config = table.rowConfigs.find((each) => each.id === id) ?? rowConfig.parse({ id })
        const set = (change: Partial<RowConfig>) =>
          onChange(
            { rowConfigs: [...table.rowConfigs.filter((each) => each.id !== id), { ...config, ...change }] },
            `row ${id} ${Object.keys(change).join()}`,
          )
        return (
          <FoldedItem key={id} name={name} open={isOpen} onToggle={() => setOpen(isOpen ? '' : id)}>
            <div className={styles.pair}>
              <Select
                label={`${name}, align`}
                value={config.align ?? ''}
                options={[
                  { value: '', label: 'Same as column' },
                  ...textAligns.map((value) => ({ value, label: value })),
                ]}
                onChange={(value) => set({ align: (value || undefined) as RowConfig['align'] })}
              />
              <Select
                label={`${name}, style`}
                value={config.style}
                options={textStyles.map((value) => ({ value, label: value }))}
                onChange={(value) => set({ style: value as RowConfig['style'] })}
              />
            </div>
            <div className={styles.pair}>
              <ColorField
                label={`${name}, colour`}
                value={config.color}
                onChange={(color) => set({ color })}
              />
              <ColorField
                label={`${name}, background`}
                value={config.background}
                onChange={(background) => set({ background })}
              />
            </div>
            <NumberField
              label={`${name}, font size`}
              value={config.fontSize}
              min={8}
              max={32}
              placeholder={id === 'Header' ? '11' : '13'}
              onChange={(fontSize) => set({ fontSize })}
            />
          </FoldedItem>
        )
      })}
    </>
  )
}
