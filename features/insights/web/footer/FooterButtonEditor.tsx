import { useQuery } from '@tanstack/react-query'
import { GroupPicker } from '@headwater/groups/web'
import { searchDataPreps } from '@headwater/preps/contract'
import { call, Combobox, Select, TextField } from '@headwater/web-kit'
import type { Tile } from '../../contract/index.ts'
import styles from '../components/Editor.module.css'
import { PartTools } from '../components/PartTools.tsx'
import {
  copiedFooterButton,
  type FooterButton,
  footerButtonNames,
  footerButtonTypes,
  maxFooterButtons,
  pathOfLink,
} from './footer-button.ts'

/** How many data preps of a group are offered. */
const offeredPreps = 200

/** The settings of a footer button, and what can be done to it. */
export default function FooterButtonEditor({
  button,
  buttons,
  tiles,
  newId,
  onButtons,
  onSelect,
}: {
  button: FooterButton
  buttons: readonly FooterButton[]
  tiles: readonly Tile[]
  newId: () => string
  /** Takes all buttons as they are to be; changes of one topic in a row are one step to undo. */
  onButtons: (buttons: FooterButton[], topic?: string) => void
  onSelect: (id: string | undefined) => void
}) {
  const place = buttons.findIndex(({ id }) => id === button.id)
  const set = (fields: Partial<FooterButton>) =>
    onButtons(buttons.with(place, { ...button, ...fields }), `${button.id} ${Object.keys(fields).join()}`)
  const known = footerButtonTypes.some((type) => type === button.type)
  return (
    <div className={styles.fields}>
      <PartTools
        name={button.text === '' ? 'button' : button.text}
        place={place}
        count={buttons.length}
        full={buttons.length >= maxFooterButtons}
        onDuplicate={() => {
          const copy = copiedFooterButton(button, newId(), buttons)
          onButtons(buttons.toSpliced(place + 1, 0, copy))
          onSelect(copy.id)
        }}
        onMove={(by) => onButtons(buttons.toSpliced(place, 1).toSpliced(place + by, 0, button))}
        onRemove={() => {
          onButtons(buttons.toSpliced(place, 1))
          onSelect(undefined)
        }}
      />
      <TextField label="Text" value={button.text} maxLength={100} onChange={(text) => set({ text })} />
      <Select
        label="Action"
        value={known ? button.type : null}
        placeholder={known ? undefined : `Unknown: ${button.type.slice(0, 40)}`}
        options={footerButtonTypes.map((type) => ({ value: type, label: footerButtonNames[type] }))}
        onChange={(type) => {
          if (type !== null) set({ type })
        }}
      />
      {button.type === 'SHOW_RESULTS' ? (
        <p className={styles.quiet}>Applies the choices in the parameters panel.</p>
      ) : null}
      {button.type === 'OPEN_LINK' ? (
        <TextField
          label="Page"
          value={button.link}
          maxLength={2000}
          placeholder="/Lake"
          error={
            button.link === '' || pathOfLink(button.link, location.origin) !== undefined
              ? undefined
              : 'Enter a page of this application, for example /Lake.'
          }
          onChange={(link) => set({ link })}
        />
      ) : null}
      {button.type === 'SCROLL_TO_TILE' ? (
        <Select
          label="Tile"
          value={tiles.some(({ id }) => id === button.tileId) ? button.tileId : null}
          placeholder="Choose a tile"
          options={tiles.map(({ id, title }) => ({ value: id, label: title === '' ? 'Untitled' : title }))}
          onChange={(tileId) => set({ tileId: tileId ?? '' })}
        />
      ) : null}
      {button.type === 'DOWNLOAD_DATA_PREP' ? (
        <PrepFields value={button.dataPrep} onChange={(dataPrep) => set({ dataPrep })} />
      ) : null}
    </div>
  )
}

function PrepFields({
  value,
  onChange,
}: {
  value: FooterButton['dataPrep']
  onChange: (value: FooterButton['dataPrep']) => void
}) {
  const { groupName, name } = value
  const preps = useQuery({
    queryKey: [searchDataPreps.name, 'footer', groupName],
    enabled: groupName !== '',
    queryFn: ({ signal }) =>
      call(searchDataPreps, { query: { groupName, sortBy: 'name', size: offeredPreps } }, { signal }),
  })
  return (
    <>
      <GroupPicker
        value={groupName === '' ? null : groupName}
        writeOnly={false}
        onChange={(group) => onChange({ groupName: group ?? '', name: '' })}
      />
      <Combobox
        label="Data prep"
        value={name === '' ? null : name}
        disabled={groupName === ''}
        allowFree
        loading={preps.isFetching}
        options={(preps.data?.items ?? []).map((prep) => ({ value: prep.name, label: prep.name }))}
        onChange={(next) => onChange({ groupName, name: next ?? '' })}
      />
    </>
  )
}
