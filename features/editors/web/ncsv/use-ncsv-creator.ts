import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { File } from '@headwater/files/contract'
import { refreshFiles, uploadFile } from '@headwater/files/web'
import { message, toastError, useUnsavedTool } from '@headwater/web-kit'
import {
  addConstant,
  applyDate,
  applySymbols,
  columnDateMessage,
  columnsProblem,
  dateProblem,
  isDateChosen,
  renameColumn,
  type NcsvChoices,
  type NcsvOutput,
  type NcsvTable,
  symbolsProblem,
  toNcsv,
  type ValidationResult,
  validationResult,
  valueColumns,
} from './ncsv-table.ts'
import type { ReadTable, TableProblem } from './read-table.ts'
import { validateNcsvText } from './validate-text.ts'

/** Properties of the creator. */
export interface CreatorProps {
  /** The CSV file. */
  file: File
  /** Its rows, and suggested choices. */
  read: ReadTable
  /** Reads the file again with the names of the columns in another line, from 1. */
  readAt: (headerLine: number) => ReadTable | TableProblem
  /** Whether the user can save. */
  editable: boolean
  /** Closes the creator. */
  onClose: () => void
}

/** State of the server validation. */
type Validation =
  | { state: 'running' }
  | { state: 'valid' | 'unchecked' | 'invalid'; output: NcsvOutput; result: ValidationResult }

/** The state of the NCSV creator, and the actions of its steps. */
export function useNcsvCreator({ file, read, readAt, editable, onClose }: CreatorProps) {
  const client = useQueryClient()
  const [headerLine, setHeaderLine] = useState(read.headerLine)
  const [base, setBase] = useState(read.table)
  const [choices, setChoices] = useState(read.choices)
  const [step, setStep] = useState(0)
  const [problem, setProblem] = useState<string>()
  const [fileName, setFileName] = useState(`${file.fileName.replace(/\.[^.]*$/, '')}.ncsv`)
  const [validation, setValidation] = useState<Validation>()
  const [isSaving, setSaving] = useState(false)
  useUnsavedTool(step > 0)
  const table = step < 2 ? base : applySymbols(base, choices.symbolColumns)
  const isAccepted = validation?.state === 'valid' || validation?.state === 'unchecked'

  function change(part: Partial<NcsvChoices>) {
    setProblem(undefined)
    setChoices((before) => ({ ...before, ...part }))
  }

  function chooseHeader(line: number) {
    const next = readAt(line)
    setProblem('problem' in next ? next.problem : undefined)
    if ('problem' in next) return
    setHeaderLine(line)
    setBase(next.table)
    setChoices(next.choices)
  }

  function rename(index: number, name: string) {
    if (name === table.headers[index]) return
    const renamed = renameColumn(base, choices, { index, name, ordered: step >= 2 })
    setBase(renamed.table)
    change(renamed.choices)
  }

  /** Returns the problem of the current step, and the table after it. */
  function complete(): { problem?: string | undefined; table: NcsvTable } {
    if (step === 0) {
      const { date } = choices
      if (!isDateChosen(date))
        return { problem: 'Choose the column, the format and the time zone.', table: base }
      const applied = applyDate(base, date)
      return 'problem' in applied ? { problem: applied.problem, table: base } : applied
    }
    const ordered = applySymbols(base, choices.symbolColumns)
    const general = dateProblem(base) ?? symbolsProblem(base, choices.symbolColumns)
    if (general !== undefined || step === 1) return { problem: general, table: base }
    const failing = valueColumns(ordered)
      .map((name) => columnDateMessage(ordered, name, choices.columns[name] ?? {}))
      .find((result) => result?.isProblem)
    return { problem: columnsProblem(ordered, choices) ?? failing?.text, table: base }
  }

  function next() {
    const done = complete()
    setProblem(done.problem)
    if (done.problem !== undefined) return
    setBase(done.table)
    if (step === 0) change({ date: { ...choices.date, column: 'Date' } })
    setStep(step + 1)
    if (step === 2) void validate()
  }

  function back() {
    setProblem(undefined)
    setValidation(undefined)
    setStep(step - 1)
  }

  async function validate() {
    const output = toNcsv(applySymbols(base, choices.symbolColumns), choices)
    const running: Validation = { state: 'running' }
    // The user may have gone back in the meantime.
    const finish = (result: Validation | undefined) =>
      setValidation((current) => (current === running ? result : current))
    setValidation(running)
    try {
      const items = await validateNcsvText(output.text)
      if (items === 'tooLarge') {
        finish({ state: 'unchecked', output, result: { text: undefined, cells: new Map() } })
        return
      }
      const result = validationResult(items, output)
      finish({ state: result.text === undefined ? 'valid' : 'invalid', output, result })
      if (result.text === undefined) message('NCSV file configuration went succesfully!', 'success')
    } catch (error) {
      finish(undefined)
      toastError(error)
    }
  }

  async function save() {
    if (!editable || validation === undefined || !('output' in validation)) return
    if (fileName.trim() === '') {
      setProblem('Enter a file name.')
      return
    }
    setSaving(true)
    try {
      const receipt = await uploadFile(new Blob([validation.output.text], { type: 'text/csv' }), {
        groupName: file.groupName,
        fileName: fileName.trim(),
        fileType: 'NCSV',
        fields: [],
      })
      if (receipt.status === 'REJECTED' || receipt.status === 'DUPLICATE') throw new Error(receipt.message)
      message('NCSV file has been saved.', 'success')
      await refreshFiles(client)
      onClose()
    } catch (error) {
      toastError(error)
      setSaving(false)
    }
  }

  return {
    /** The rows, with the symbols in front after their step. */
    table,
    choices,
    /** Line with the names of the columns, from 1. */
    headerLine,
    /** The current step, from 0. */
    step,
    /** The problem of the current step. */
    problem,
    fileName,
    validation,
    /** The validated NCSV; undefined before the response. */
    checked: validation !== undefined && 'output' in validation ? validation : undefined,
    isAccepted,
    isSaving,
    change,
    chooseHeader,
    rename,
    next,
    back,
    validate,
    save,
    nameFile: (name: string) => {
      setProblem(undefined)
      setFileName(name)
    },
    addSymbol: (name: string, value: string) => {
      setBase(addConstant(base, name, value))
      change({ symbolColumns: [...choices.symbolColumns, name] })
    },
  }
}
