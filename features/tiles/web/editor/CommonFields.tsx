import { useState } from 'react'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import { charactersLeftOut, cleanTitle, traitsOf, type Tile } from '@headwater/tile-data/contract'
import { commonTile, type CommonTile } from '@headwater/tile-data/core'
import { Button, type FormItems, SchemaForm, TextField } from '@headwater/web-kit'

const schema = commonTile.refine(({ titleTooltipUrl }) => /^$|^https?:\/\/[^\s/]/i.test(titleTooltipUrl), {
  path: ['titleTooltipUrl'],
  error: 'Enter a URL that begins with https:// or http://.',
})
const items: FormItems<CommonTile> = [
  {
    field: 'heading',
    label: 'Displayed title',
    placeholder: ({ title }) => String(title),
    hint: 'Readers see this text instead of the title. It can contain any characters.',
    maxLength: 200,
  },
  [
    { field: 'tileWidth', label: 'Width', choices: { full: '100%', half: '50%' } },
    { field: 'tileHeight', label: 'Height', choices: { full: '100%', half: '50%', quarter: '25%' } },
  ],
  { field: 'titleTooltip', label: 'Show an explanation' },
  {
    field: 'titleTooltipText',
    label: 'Explanation',
    rows: 2,
    maxLength: 500,
    when: ({ titleTooltip }) => titleTooltip,
  },
  {
    field: 'titleTooltipUrl',
    label: 'Link',
    placeholder: 'https://',
    maxLength: 2000,
    when: ({ titleTooltip }) => titleTooltip,
  },
  { field: 'hidden', label: 'Hide from readers' },
  {
    field: 'downloadable',
    label: 'Readers can save the data',
    when: ({ type }) => traitsOf(String(type)).hasRows === true,
  },
]

/** The fields of every tile: title, size, explanation, visibility. */
export function CommonFields({
  tile,
  onChange,
  onImport,
}: {
  tile: Tile
  onChange: (fields: Partial<Tile>, topic?: string) => void
  onImport: () => void
}) {
  return (
    <>
      <TitleField key={tile.id} tile={tile} onChange={onChange} />
      <SchemaForm schema={schema} items={items} value={commonTile.parse(tile)} onChange={onChange} />
      <Button icon={<IconFileImport size={16} stroke={1.6} />} onClick={onImport}>
        Import configuration
      </Button>
    </>
  )
}

/** The title changes while the user types. The suffix that makes it unique appears when the field loses the focus. */
function TitleField({
  tile: { title },
  onChange,
}: {
  tile: Tile
  onChange: (fields: Partial<Tile>, topic?: string) => void
}) {
  const [typed, setTyped] = useState<string>()
  const [leftOut, setLeftOut] = useState<readonly string[]>([])
  return (
    <TextField
      label="Title"
      hint={
        leftOut.length === 0 ? (
          'Identifies the tile in links and saved files. No two tiles have the same title.'
        ) : (
          <span role="status">
            Removed {leftOut.join(' ')}. Titles can contain alphanumeric characters, spaces and ( ) - _. Use
            “Displayed title” for other characters.
          </span>
        )
      }
      value={typed !== undefined && isSuffixed(title, typed) ? typed : title}
      maxLength={200}
      onChange={(text) => {
        const clean = cleanTitle(text)
        setTyped(clean)
        setLeftOut(charactersLeftOut(text))
        onChange({ title: clean }, 'title')
      }}
      onBlur={() => {
        setTyped(undefined)
        setLeftOut([])
      }}
    />
  )
}

/** Returns whether a title is text followed by the suffix that makes it unique. */
function isSuffixed(title: string, text: string): boolean {
  return title.startsWith(text) && /^(?:\(1\))*$/.test(title.slice(text.length))
}
