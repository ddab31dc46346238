export { DeleteItemDialog } from './components/DeleteItemDialog.tsx'
export { ItemTable, type ItemTableProps } from './components/ItemTable.tsx'
export { NewerVersionDialog } from './components/NewerVersionDialog.tsx'
export {
  type ItemTarget,
  SaveItemDialog,
  type SaveErrors,
  type SaveForm,
} from './components/SaveItemDialog.tsx'
export { VersionsPage } from './components/VersionsPage.tsx'
export { VersionsTable } from './components/VersionsTable.tsx'
export { itemColumns, lastRunColumns } from './item-columns.tsx'
