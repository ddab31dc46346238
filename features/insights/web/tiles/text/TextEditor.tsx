import { useEffect, useRef, useState } from 'react'
import { Tabs, TextField } from '@headwater/web-kit'
import styles from '../../components/Editor.module.css'
import { TextSourceFields } from '../../components/TextSourceFields.tsx'
import type { TileEditorProps } from '../tile-view.ts'
import { textTile } from '../../../contract/tiles/text-tile.ts'

const tabs = ['Data', 'Style'].map((name) => ({ value: name, label: name }))

/** The settings of a text: written here, or a markdown file of the lake. The tile itself is the preview. */
export default function TextEditor({ tile, onChange, isAdded, commonFields }: TileEditorProps) {
  const definition = textTile.parse(tile)
  const area = useRef<HTMLTextAreaElement>(null)
  const [begins] = useState(isAdded && definition.templateContent === '')
  useEffect(() => {
    if (begins) area.current?.focus({ preventScroll: true })
  }, [begins])
  const [tab, setTab] = useState('Data')
  const { source } = definition
  return (
    <>
      <Tabs label="Text settings" value={tab} onChange={setTab} tabs={tabs} />
      <div className={styles.fields} role="tabpanel" aria-label={tab}>
        {tab === 'Data' ? (
          <>
            <TextSourceFields
              source={source}
              fileLabel="Markdown file"
              extensions={['md']}
              onChange={onChange}
            >
              <div className={styles.mono}>
                <TextField
                  label="Markdown"
                  rows={20}
                  areaRef={area}
                  value={definition.templateContent}
                  maxLength={100_000}
                  placeholder={'## Heading\n\nText with **bold** and [links](https://…)\n\n- lists\n- tables'}
                  onChange={(templateContent) => onChange({ templateContent })}
                />
              </div>
            </TextSourceFields>
          </>
        ) : (
          commonFields
        )}
      </div>
    </>
  )
}
