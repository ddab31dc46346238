import { Button, countOf } from '@headwater/web-kit'
import { FileToolHeader } from '../components/FileContent.tsx'
import styles from './NcsvCreator.module.css'
import { NcsvGrid } from './NcsvGrid.tsx'
import { ColumnsStep, DateStep, SymbolsStep, ValidateStep } from './NcsvSteps.tsx'
import { ncsvSteps } from './ncsv-table.ts'
import { StepHeaders } from './StepHeaders.tsx'
import { type CreatorProps, useNcsvCreator } from './use-ncsv-creator.ts'

/** The four steps from a CSV file to a series file. */
export function NcsvCreator(props: CreatorProps) {
  const creator = useNcsvCreator(props)
  const { table, choices, step, problem, validation, checked, next, back } = creator
  const shared = { table, choices, onChange: creator.change }
  const isInvalid = problem !== undefined || validation?.state === 'invalid'
  return (
    <>
      <FileToolHeader file={props.file} note={props.editable ? '' : 'read only'} />
      <div className={styles.creator}>
        <StepHeaders
          current={step}
          states={ncsvSteps.map((_, at) =>
            at < step || (at === 3 && step === 3 && creator.isAccepted)
              ? 'success'
              : at === step && isInvalid
                ? 'error'
                : 'pending',
          )}
          onBack={back}
          onNext={next}
        />
        <div className={styles.form}>
          {step === 0 ? (
            <DateStep
              {...shared}
              headerLine={creator.headerLine}
              firstLines={props.read.firstLines}
              onHeaderLine={creator.chooseHeader}
            />
          ) : null}
          {step === 1 ? (
            <SymbolsStep
              {...shared}
              suggestion={props.file.fileName.replace(/\.[^.]*$/, '')}
              onAdd={creator.addSymbol}
            />
          ) : null}
          {step === 2 ? <ColumnsStep {...shared} /> : null}
          {step === 3 ? (
            <ValidateStep
              groupName={props.file.groupName}
              columns={table.headers.filter((name) => name !== 'Date')}
              fileName={creator.fileName}
              state={validation?.state}
              problem={checked?.result.text}
              onFileName={creator.nameFile}
              onValidate={() => void creator.validate()}
            />
          ) : null}
          {problem === undefined ? null : (
            <p className={styles.problem} role="alert">
              {problem}
            </p>
          )}
        </div>
        <NcsvGrid
          headers={checked?.output.headers ?? table.headers}
          rows={checked?.output.rows ?? table.rows}
          lines={table.lines}
          cells={checked?.result.cells}
          onRename={step === 3 ? undefined : creator.rename}
        />
        <footer className={styles.foot}>
          <span>
            {countOf(table.rows.length, 'row')}, {countOf(table.headers.length, 'column')}
          </span>
          <span className={styles.spring} />
          <Button disabled={step === 0 || creator.isSaving} onClick={back}>
            Back
          </Button>
          {step < 3 ? (
            <Button variant="primary" onClick={next}>
              Next
            </Button>
          ) : (
            <Button
              variant="primary"
              busy={creator.isSaving}
              disabled={!props.editable || !creator.isAccepted || creator.fileName.trim() === ''}
              onClick={() => void creator.save()}
            >
              Save
            </Button>
          )}
        </footer>
      </div>
    </>
  )
}
