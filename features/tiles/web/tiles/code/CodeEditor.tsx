import { type FormItems, SchemaForm } from '@headwater/web-kit'
import styles from '../../editor/Editor.module.css'
import { EditorTabs } from '../../editor/EditorTabs.tsx'
import { TextSourceFields } from '../../editor/TextSourceFields.tsx'
import { RangeFields } from '../../editor/RangeFields.tsx'
import { SeriesRows } from '../../editor/SeriesRows.tsx'
import { SourceFields } from '../../editor/SourceFields.tsx'
import type { TileEditorProps } from '../tile-view.ts'
import { codeExamples } from './code-examples.ts'
import { codeTile, type CodeTile } from './code-tile.ts'

const language: FormItems<CodeTile> = [
  { field: 'codeType', label: 'Language', choices: { html: 'HTML/FTL', python: 'Python' } },
]
const code: FormItems<CodeTile> = [
  {
    field: 'templateContent',
    label: 'Code',
    rows: 20,
    mono: true,
    maxLength: 500_000,
    placeholder: ({ codeType }) => codeExamples[codeType],
    hint: ({ codeType }) =>
      codeType === 'python'
        ? 'The printed output is shown as HTML. The code runs in a sandbox on the server without network access.'
        : 'Scripts run in a frame without access to this page or the network. FreeMarker templates are stored but cannot run yet.',
  },
]

/** The settings of a code tile. */
export default function CodeEditor({
  tile,
  dataPrep,
  onChange,
  onChangeData,
  isPicking,
  onPicking,
  commonFields,
}: TileEditorProps) {
  const definition = codeTile.parse(tile)
  const { codeType, source } = definition
  const form = { schema: codeTile, value: definition, onChange }
  // A user who edits the code has seen it.
  const onChangeCode: typeof onChange = (changes, ...more) =>
    onChange({ ...changes, codeFromLink: undefined }, ...more)
  return (
    <EditorTabs
      label="Code settings"
      tabs={{
        Code: (
          <>
            <SchemaForm {...form} items={language} />
            <TextSourceFields
              source={source}
              fileLabel="File in the lake"
              extensions={codeType === 'python' ? ['py'] : ['html', 'ftl', 'htm']}
              onChange={onChange}
            >
              <SchemaForm {...form} onChange={onChangeCode} items={code} />
            </TextSourceFields>
          </>
        ),
        Data: (
          <>
            <p className={styles.quiet}>
              {codeType === 'python'
                ? 'data["rows"] contains the rows and data["columns"] the columns. If there is no data, data has the value None.'
                : 'headwater.data holds columns and rows. It is null when the tile has no data.'}
            </p>
            <SourceFields tile={tile} dataPrep={dataPrep} onChange={onChange}>
              <SeriesRows {...{ dataPrep, onChangeData, isPicking, onPicking }} />
              <RangeFields tile={tile} onChange={onChange} />
            </SourceFields>
          </>
        ),
        Style: commonFields,
      }}
    />
  )
}
