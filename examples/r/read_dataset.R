# Reads a dataset of Chronotap with base R alone: participants, trials, the events of each trial,
# and the tables of `chronotap analyze` where there are any.
#
# Usage: Rscript examples/r/read_dataset.R DATASET

read_table <- function(path, ...) {
  read.delim(path, na.strings = "n/a", quote = "", stringsAsFactors = FALSE, check.names = FALSE, ...)
}

read_trials <- function(dataset) {
  paths <- Sys.glob(file.path(dataset, c("sub-*/beh/*_beh.tsv", "sub-*/ses-*/beh/*_beh.tsv")))
  if (length(paths) == 0) stop(dataset, ": there is no table of trials; give the folder of the dataset")
  tables <- lapply(paths, function(path) {
    table <- read_table(path)
    id <- sub("^(sub-[^_]+)_.*", "\\1", basename(path))
    cbind(participant_id = rep(id, nrow(table)), table)
  })
  do.call(rbind, tables)
}

# The taps of a trial. Times are whole nanoseconds: beyond 2^53 (104 days) a number of R would
# round them.
read_taps <- function(dataset, events_file) {
  events <- read_table(file.path(dataset, events_file))
  taps <- events[events$trial_type == "tap" & is.na(events$flag), ]
  taps$interval_ms <- c(NA, diff(taps$achieved_ns)) / 1e6
  taps
}

main <- function(dataset) {
  trials <- read_trials(dataset)
  trials <- trials[tolower(trials$counts) == "true", ]
  people <- read_table(file.path(dataset, "participants.tsv"), colClasses = c(participant_id = "character"))
  cat(nrow(people), "participants,", nrow(trials), "trials that count\n")
  print(aggregate(mean_asynchrony_ms ~ participant_id, data = trials, FUN = mean))
  taps <- read_taps(dataset, trials$events_file[1])
  cat(sprintf("first trial: %d taps, median interval %.1f ms\n", nrow(taps), median(taps$interval_ms, na.rm = TRUE)))
  derived <- file.path(dataset, "derivatives", "chronotap", "desc-taps_beh.tsv")
  if (file.exists(derived)) {
    all_taps <- read_table(derived)
    cat(nrow(all_taps), "taps in the tables of the analysis\n")
  }
}

main(commandArgs(trailingOnly = TRUE)[1])
