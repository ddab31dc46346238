import type { ReactNode } from 'react'
import { Select } from '@headwater/web-kit'
import type { Tile } from '../../contract/index.ts'
import type { TextSource } from '../../core/common/loose-fields.ts'
import { FileFields } from './FileFields.tsx'

/** Whether the text of a tile is written in it or stands in a file, and which one. */
export function TextSourceFields({
  source,
  fileLabel,
  extensions,
  onChange,
  children,
}: {
  source: TextSource
  /** What such a file is called. */
  fileLabel: string
  /** Endings of such files, without the dot. */
  extensions: readonly string[]
  onChange: (fields: Partial<Tile>) => void
  /** The field of what is written here. */
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
