import { useState } from 'react'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import { Button, Select, Switch, TextField } from '@headwater/web-kit'
import { charactersLeftOut, cleanTitle, tileSizeOf, type Tile } from '../../contract/index.ts'
import styles from './Editor.module.css'

const widths = [
  { value: 'full', label: '100%' },
  { value: 'half', label: '50%' },
]
const heights = [
  { value: 'full', label: '100%' },
  { value: 'half', label: '50%' },
  { value: 'quarter', label: '25%' },
]

/** Kinds whose data can be saved from their menu. */
const withRows = ['Chart', 'Table', 'STATS', 'SEARCH']

/** What every tile has: title, size, explanation of the title, whether readers see it. */
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
      <TextField
        label="Displayed title"
        value={textOf(tile.heading)}
        placeholder={tile.title}
        hint="Readers see this text instead of the title. It can contain any character."
        maxLength={200}
        onChange={(heading) => onChange({ heading }, 'heading')}
      />
      <div className={styles.pair}>
        <Select
          label="Width"
          value={tileSizeOf(tile).tileWidth}
          options={widths}
          onChange={(tileWidth) => onChange({ tileWidth: tileWidth ?? 'full' })}
        />
        <Select
          label="Height"
          value={tileSizeOf(tile).tileHeight}
          options={heights}
          onChange={(tileHeight) => onChange({ tileHeight: tileHeight ?? 'half' })}
        />
      </div>
      <Switch
        label="Show an explanation"
        checked={tile.titleTooltip === true}
        onChange={(titleTooltip) => onChange({ titleTooltip })}
      />
      {tile.titleTooltip === true ? (
        <>
          <TextField
            label="Explanation"
            value={textOf(tile.titleTooltipText)}
            rows={2}
            maxLength={500}
            onChange={(titleTooltipText) => onChange({ titleTooltipText })}
          />
          <TextField
            label="Link"
            value={textOf(tile.titleTooltipUrl)}
            placeholder="https://"
            maxLength={2000}
            error={linkProblem(textOf(tile.titleTooltipUrl))}
            onChange={(titleTooltipUrl) => onChange({ titleTooltipUrl })}
          />
        </>
      ) : null}
      <Switch
        label="Hide from readers"
        checked={tile.hidden === true}
        onChange={(hidden) => onChange({ hidden })}
      />
      {withRows.includes(tile.type) ? (
        <Switch
          label="Readers can save the data"
          checked={tile.downloadable !== false}
          onChange={(downloadable) => onChange({ downloadable })}
        />
      ) : null}
      <Button icon={<IconFileImport size={16} stroke={1.6} />} onClick={onImport}>
        Import configuration
      </Button>
    </>
  )
}

/** The title counts as typed at once; the suffix that tells it from the title of another tile shows when the field is left. */
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
            {leftOut.join(' ')} {leftOut.length === 1 ? 'was' : 'were'} left out: a title has letters, digits,
            spaces and ( ) - _ only. Use “Displayed title” for other characters.
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

/** Whether a title is a text with only the suffix behind it that makes it unique. */
function isSuffixed(title: string, text: string): boolean {
  return title.startsWith(text) && /^(?:\(1\))*$/.test(title.slice(text.length))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function linkProblem(text: string): string | undefined {
  if (text === '' || /^https?:\/\/[^\s/]/i.test(text)) return undefined
  return 'Enter an address that begins with https:// or http://.'
}
