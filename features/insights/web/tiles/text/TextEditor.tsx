import { useState } from 'react'
import { Select, Tabs, TextField } from '@headwater/web-kit'
import styles from '../../components/Editor.module.css'
import { FileFields } from '../../components/FileFields.tsx'
import type { TileEditorProps } from '../tile-view.ts'
import { textTile } from './text-tile.ts'

const tabs = ['Data', 'Style'].map((name) => ({ value: name, label: name }))

/** The settings of a text: written here, or a markdown file of the lake. The tile itself is the preview. */
export default function TextEditor({ tile, onChange, commonFields }: TileEditorProps) {
  const definition = textTile.parse(tile)
  const [tab, setTab] = useState('Data')
  const { source } = definition
  return (
    <>
      <Tabs label="Settings of the text" value={tab} onChange={setTab} tabs={tabs} />
      <div className={styles.fields} role="tabpanel" aria-label={tab}>
        {tab === 'Data' ? (
          <>
            <Select
              label="Source"
              value={source.type}
              options={[
                { value: 'EDITOR', label: 'Written here' },
                { value: 'FILE', label: 'Markdown file' },
              ]}
              onChange={(type) =>
                onChange({
                  source:
                    type === 'FILE' ? { type, value: { groupName: '', fileName: '' } } : { type: 'EDITOR' },
                })
              }
            />
            {source.type === 'FILE' ? (
              <FileFields
                extensions={['md']}
                value={source.value as { groupName: string; fileName: string }}
                onChange={(value) => onChange({ source: { type: 'FILE', value } })}
              />
            ) : (
              <div className={styles.mono}>
                <TextField
                  label="Markdown"
                  rows={20}
                  value={definition.templateContent}
                  maxLength={100_000}
                  placeholder={'## Heading\n\nText with **bold** and [links](https://…)\n\n- lists\n- tables'}
                  onChange={(templateContent) => onChange({ templateContent })}
                />
              </div>
            )}
          </>
        ) : (
          commonFields
        )}
      </div>
    </>
  )
}
