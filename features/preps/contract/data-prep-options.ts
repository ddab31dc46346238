/** Fill types that mean nothing without `avgPointsAmount`; all of them are `fillTypes` of the data query. */
export const fillTypesWithAmount: readonly string[] = ['AVERAGE']

/** Directions of the timestamps. */
export const dataPrepOrders = ['asc', 'desc'] as const

/** The backend ISO format: local date-time with milliseconds. */
export const backendIsoFormat = "yyyy-MM-dd'T'HH:mm:ss.SSS"

/** Name of the one store of series there is. */
export const warehouseSource = 'WarehouseService'

/** Most entries of the basket of a data prep; as many as a data query may name. */
export const maxDataPrepSymbols = 10_000

/** Type of the files that runs of data preps write. They are not taken over into storage. */
export const dataPrepFileType = 'DATA_PREP'
