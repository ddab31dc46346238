import { useState } from 'react'
import { Select, Tabs, TextField } from '@headwater/web-kit'
import styles from '../../components/Editor.module.css'
import { TextSourceFields } from '../../components/TextSourceFields.tsx'
import { RangeFields } from '../../components/RangeFields.tsx'
import { SeriesRows } from '../../components/SeriesRows.tsx'
import { SourceFields } from '../../sources/SourceFields.tsx'
import type { TileEditorProps } from '../tile-view.ts'
import { codeExamples } from './code-examples.ts'
import { codeTile } from './code-tile.ts'

const tabs = ['Code', 'Data', 'Style'].map((name) => ({ value: name, label: name }))

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
  const { codeType, source, templateContent } = codeTile.parse(tile)
  const [tab, setTab] = useState('Code')
  return (
    <>
      <Tabs label="Code settings" value={tab} onChange={setTab} tabs={tabs} />
      <div className={styles.fields} role="tabpanel" aria-label={tab}>
        {tab === 'Code' ? (
          <>
            <Select
              label="Language"
              value={codeType}
              options={[
                { value: 'html', label: 'HTML/FTL' },
                { value: 'python', label: 'Python' },
              ]}
              onChange={(next) => onChange({ codeType: next ?? 'html' })}
            />
            <TextSourceFields
              source={source}
              fileLabel="File in the lake"
              extensions={codeType === 'python' ? ['py'] : ['html', 'ftl', 'htm']}
              onChange={onChange}
            >
              <div className={styles.mono}>
                <TextField
                  label="Code"
                  rows={20}
                  value={templateContent}
                  maxLength={500_000}
                  placeholder={codeExamples[codeType]}
                  hint={
                    codeType === 'python'
                      ? 'The printed output is shown as HTML. The code runs in a sandbox on the server without network access.'
                      : 'Scripts run in a frame without access to this page or the network. FreeMarker templates are stored but cannot run yet.'
                  }
                  onChange={(text) => onChange({ templateContent: text }, 'templateContent')}
                />
              </div>
            </TextSourceFields>
          </>
        ) : null}
        {tab === 'Data' ? (
          <>
            <p className={styles.quiet}>
              {codeType === 'python'
                ? 'data["rows"] holds the rows and data["columns"] the columns. data is None when the tile has no data.'
                : 'headwater.data holds columns and rows. It is null when the tile has no data.'}
            </p>
            <SourceFields tile={tile} dataPrep={dataPrep} onChange={onChange}>
              <SeriesRows {...{ dataPrep, onChangeData, isPicking, onPicking }} />
              <RangeFields tile={tile} onChange={onChange} />
            </SourceFields>
          </>
        ) : null}
        {tab === 'Style' ? commonFields : null}
      </div>
    </>
  )
}
