"""Upload of a folder: which files there are, which the index lacks, and how far the upload is."""

from __future__ import annotations

import base64
import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from .errors import ApiError, AuthenticationError, PermissionDeniedError, PlanLimitError, StrataError
from .models import FileJobResponse

PART = 256 * 1024

CONCERNS_ALL = (AuthenticationError, PermissionDeniedError, PlanLimitError)
"""Refusals that all further files would get, too."""

HAS_CONTENT = frozenset({"queued", "processing", "completed", "completed_with_warnings"})


@dataclass(frozen=True)
class FolderProgress:
    """How many files of a folder are done."""

    done: int
    total: int
    failed: int
    path: Path
    """File that was the last one."""


FolderCallback: TypeAlias = "Callable[[FolderProgress], object]"
"""Called after each file."""


@dataclass(frozen=True)
class FolderFile:
    """What became of a file of a folder."""

    path: Path
    filename: str
    """Path below the folder, which is the name of the file in the index."""
    job: FileJobResponse | None
    """Job of the file; None if it could not be created."""
    error: str | None
    """Why the file is not in the index, or which content was not read; None if there is nothing to report."""

    @property
    def failed(self) -> bool:
        """Whether the index does not have the file."""
        return self.job is None or self.job.status not in HAS_CONTENT


def files_of(folder: Path, pattern: str) -> list[Path]:
    """Returns the files of a folder in order, without symbolic links and names that begin with a dot."""
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is no folder")

    def is_sent(path: Path) -> bool:
        below = [path, *path.parents][: len(path.relative_to(folder).parts)]
        return path.is_file() and not any(part.name.startswith(".") or part.is_symlink() for part in below)

    return sorted(path for path in folder.rglob(pattern) if is_sent(path))


def newest_by_name(jobs: Iterable[FileJobResponse]) -> dict[str, FileJobResponse]:
    """Returns the newest uploaded job of each name; jobs come newest first."""
    found: dict[str, FileJobResponse] = {}
    for job in jobs:
        if job.replaced_by_job_id is None:
            found.setdefault(job.filename, job)
    return found


def has_content(job: FileJobResponse | None, path: Path) -> bool:
    """Returns whether a job has the content of a file, or will have it. A job has its checksum in the form of the request."""
    if job is None or job.status not in HAS_CONTENT or job.checksum_sha256 is None:
        return False
    checksum = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(PART):
            checksum.update(part)
    return job.checksum_sha256 in (checksum.hexdigest(), base64.b64encode(checksum.digest()).decode())


class Folder:
    """Files of a folder that are uploaded side by side."""

    def __init__(
        self, folder: Path, pattern: str, known: Mapping[str, FileJobResponse], on_progress: FolderCallback | None
    ) -> None:
        self._folder = folder
        self._known = known
        self._on_progress = on_progress
        self._lock = threading.Lock()
        self._results: dict[Path, FolderFile] = {}
        self.paths = files_of(folder, pattern)

    def name_of(self, path: Path) -> str:
        """Returns the name that a file has in the index."""
        return path.relative_to(self._folder).as_posix()

    def known_job(self, path: Path) -> FileJobResponse | None:
        """Returns the job that has the content of a file already."""
        job = self._known.get(self.name_of(path))
        return job if has_content(job, path) else None

    def end(self, path: Path, job: FileJobResponse | None, error: Exception | None) -> None:
        """Notes how a file ended. Raises an error that concerns all files, or that is none of the file."""
        if error is not None and (isinstance(error, CONCERNS_ALL) or not isinstance(error, (StrataError, OSError))):
            raise error
        reason = None if job is None else job.error
        if error is not None:
            reason = error.detail if isinstance(error, ApiError) else str(error)
        with self._lock:
            self._results[path] = FolderFile(path, self.name_of(path), job, reason)
            failed = sum(result.failed for result in self._results.values())
            if self._on_progress is not None:
                self._on_progress(FolderProgress(len(self._results), len(self.paths), failed, path))

    def results(self) -> list[FolderFile]:
        """Returns what became of the files, in their order."""
        return [self._results[path] for path in self.paths]
