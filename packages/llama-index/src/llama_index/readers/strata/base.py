"""Reader of the files of an index."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import httpx
from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document
from strata_client import StrataClient
from strata_client.errors import NotFoundError
from strata_client.models import FileJobResponse


class StrataReader(BaseReader):
    """Reads the texts of the files of an index, one document a file, as the service has read them.

    Args:
        index_id: Id or alias of the index.
        client: Client of the service; by default one for STRATA_URL and STRATA_API_KEY.
    """

    def __init__(self, index_id: str, *, client: StrataClient | None = None) -> None:
        self.index_id = index_id
        self._client = client or StrataClient()

    def lazy_load_data(self, name: str | None = None, *args: Any, **load_kwargs: Any) -> Iterable[Document]:
        """Returns documents of the files whose name contains `name`, or of all. Their id is that of the file job.

        A file whose text was not stored, such as one of an earlier release, is left out.
        """
        for job in self._client.list_files(self.index_id, status="completed,completed_with_warnings", q=name):
            text = self._text(job)
            if text is not None:
                yield Document(id_=job.id, text=text, metadata={**job.metadata, "file_name": job.filename})

    def _text(self, job: FileJobResponse) -> str | None:
        try:
            read = self._client.get_file_text(self.index_id, job.id, format="markdown")
        except NotFoundError:
            return None
        if read.url is not None:
            return httpx.get(read.url, timeout=60).raise_for_status().text
        return read.text
