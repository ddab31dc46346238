import type { ReactNode } from 'react'
import type { Tile } from '@headwater/tile-data/contract'
import type { TextSource } from '@headwater/tile-data/core'
import { Select } from '@headwater/web-kit'
import { FileFields } from './FileFields.tsx'

/** The source of the text of a tile: the tile or a file. */
export function TextSourceFields({
  source,
  fileLabel,
  extensions,
  onChange,
  children,
}: {
  source: TextSource
  /** Label of the file source. */
  fileLabel: string
  /** File extensions, without the dot. */
  extensions: readonly string[]
  onChange: (fields: Partial<Tile>) => void
  /** The field of the text in the tile. */
  children: ReactNode
}) {
  return (
    <>
      <Select
        label="Source"
        value={source.type}
        options={[
          { value: 'EDITOR', label: 'Editor' },
          { value: 'FILE', label: fileLabel },
        ]}
        onChange={(type) =>
          onChange({
            source: type === 'FILE' ? { type, value: { groupName: '', fileName: '' } } : { type: 'EDITOR' },
          })
        }
      />
      {source.type === 'FILE' ? (
        <FileFields
          extensions={extensions}
          value={source.value}
          onChange={(value) => onChange({ source: { type: 'FILE', value } })}
        />
      ) : (
        children
      )}
    </>
  )
}
