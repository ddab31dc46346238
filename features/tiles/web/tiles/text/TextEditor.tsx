import { useEffect, useRef, useState } from 'react'
import { textTile } from '@headwater/tile-data/core'
import { TextField } from '@headwater/web-kit'
import { EditorTabs } from '../../editor/EditorTabs.tsx'
import { TextSourceFields } from '../../editor/TextSourceFields.tsx'
import type { TileEditorProps } from '../tile-view.ts'

/** The settings of a text tile. The tile is the preview. */
export default function TextEditor({ tile, onChange, isAdded, commonFields }: TileEditorProps) {
  const { source, templateContent } = textTile.parse(tile)
  const area = useRef<HTMLTextAreaElement>(null)
  const [begins] = useState(isAdded && templateContent === '')
  useEffect(() => {
    if (begins) area.current?.focus({ preventScroll: true })
  }, [begins])
  return (
    <EditorTabs
      label="Text settings"
      tabs={{
        Data: (
          <TextSourceFields source={source} fileLabel="Markdown file" extensions={['md']} onChange={onChange}>
            <TextField
              label="Markdown"
              rows={20}
              mono
              areaRef={area}
              value={templateContent}
              maxLength={100_000}
              hint="{{Parameter}} inserts the chosen value of the parameter with this label."
              placeholder={'## Heading\n\nText with **bold** and [links](https://…)\n\n- lists\n- tables'}
              onChange={(text) => onChange({ templateContent: text })}
            />
          </TextSourceFields>
        ),
        Style: commonFields,
      }}
    />
  )
}
