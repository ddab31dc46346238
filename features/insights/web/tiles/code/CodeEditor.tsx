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
  commonFields,
}: TileEditorProps) {
  const { codeType, source, templateContent } = codeTile.parse(tile)
  const [tab, setTab] = useState('Code')
  return (
    <>
      <Tabs label="Settings of the code" value={tab} onChange={setTab} tabs={tabs} />
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
              fileLabel="File of the lake"
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
                      ? 'What it prints is shown, as HTML. It runs on the server, apart from everything else and without a network.'
                      : 'Scripts run in a frame without access to this page and to the network. FreeMarker is kept, yet it does not run in this version.'
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
                ? 'The rows of the data stand in data["rows"], their columns in data["columns"]; data is None without any.'
                : 'The data stand in headwater.data as columns and rows; it is null without any.'}
            </p>
            <SourceFields tile={tile} dataPrep={dataPrep} onChange={onChange}>
              <SeriesRows dataPrep={dataPrep} onChangeData={onChangeData} />
              <RangeFields tile={tile} onChange={onChange} />
            </SourceFields>
          </>
        ) : null}
        {tab === 'Style' ? commonFields : null}
      </div>
    </>
  )
}
