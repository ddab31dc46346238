import { useState } from 'react'
import type { Tile } from '@headwater/tile-data/contract'
import { rowConfig, type RowId, rowIds, type RowConfig, type TableTile } from '@headwater/tile-data/core'
import { type FormChange, type FormItems, SchemaForm } from '@headwater/web-kit'
import { colourControl } from '../../editor/ColorField.tsx'
import styles from '../../editor/Editor.module.css'
import { FoldedItem } from '../../editor/FoldedItem.tsx'
import { rowNames } from './row-names.ts'

/** The styles of header, odd rows, even rows and footer. */
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
        const set = (change: FormChange<RowConfig>) =>
          onChange(
            { rowConfigs: [...table.rowConfigs.filter((each) => each.id !== id), { ...config, ...change }] },
            `row ${id} ${Object.keys(change).join()}`,
          )
        return (
          <FoldedItem key={id} name={name} open={isOpen} onToggle={() => setOpen(isOpen ? '' : id)}>
            <SchemaForm schema={rowConfig} items={lookItems(id)} value={config} onChange={set} />
          </FoldedItem>
        )
      })}
    </>
  )
}

function lookItems(id: RowId): FormItems<RowConfig> {
  const name = rowNames[id]
  return [
    [
      { field: 'align', label: `${name}, align`, none: 'Same as column' },
      { field: 'style', label: `${name}, style` },
    ],
    [
      { field: 'color', label: `${name}, colour`, control: colourControl },
      { field: 'background', label: `${name}, background`, control: colourControl },
    ],
    {
      field: 'fontSize',
      label: `${name}, font size`,
      placeholder: id === 'Header' ? '11' : '13',
    },
  ]
}
