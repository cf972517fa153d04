// Uploads a file, waits until it can be found, searches it in three ways and deletes it.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"example.com/strata-client/strata"
)

const text = "Green tea is brewed at eighty degrees. Black tea takes boiling water."

// running holds the statuses of a job that has not ended.
var running = map[strata.FileJobStatus]bool{
	strata.FileJobStatusAwaitingUpload: true,
	strata.FileJobStatusQueued:         true,
	strata.FileJobStatusProcessing:     true,
}

// must returns a response, or ends the program if the request failed or was refused.
func must[Response interface{ StatusCode() int }](response Response, err error) Response {
	if err != nil {
		log.Fatal(err)
	}
	if response.StatusCode() >= 300 {
		log.Fatalf("status %d: %+v", response.StatusCode(), response)
	}
	return response
}

func upload(ctx context.Context, job *strata.FileUploadResponse) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, job.UploadUrl, strings.NewReader(text))
	if err != nil {
		log.Fatal(err)
	}
	for name, value := range job.UploadHeaders {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		log.Fatalf("upload: %s", response.Status)
	}
}

func show(kind string, response *strata.SearchResponse) {
	if len(response.Results) == 0 {
		log.Fatalf("%s search found nothing", kind)
	}
	first := response.Results[0]
	fmt.Printf("%s: %s (%.4f, %s)\n", kind, *first.Text, first.Score, *first.File.Filename)
}

func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("authorization", "Bearer "+os.Getenv("STRATA_API_KEY"))
		return nil
	}
	client, err := strata.NewClientWithResponses(os.Getenv("STRATA_URL"), strata.WithRequestEditorFn(authorize))
	if err != nil {
		log.Fatal(err)
	}

	index := must(client.CreateIndexWithResponse(ctx, nil, strata.IndexCreate{Name: "go"})).JSON201.Id
	file := strata.FileUploadCreate{Filename: "tea.txt", ContentType: "text/plain"}
	job := must(client.CreateFileWithResponse(ctx, index, nil, file)).JSON201
	upload(ctx, job)

	status := strata.FileJobStatusQueued
	for running[status] {
		time.Sleep(200 * time.Millisecond)
		status = must(client.GetFileWithResponse(ctx, index, job.Id, nil)).JSON200.Status
	}
	if status != strata.FileJobStatusCompleted {
		log.Fatalf("the job is %s", status)
	}

	query, topK := "how hot is the water for tea", int32(3)
	dense := strata.DenseSearch{Text: &query, TopK: &topK}
	show("dense", must(client.DenseSearchWithResponse(ctx, index, nil, dense)).JSON200)
	sparse := strata.SparseSearch{Text: &query, TopK: &topK}
	show("sparse", must(client.SparseSearchWithResponse(ctx, index, nil, sparse)).JSON200)
	hybrid := strata.HybridSearch{Text: &query, TopK: &topK}
	show("hybrid", must(client.HybridSearchWithResponse(ctx, index, nil, hybrid)).JSON200)

	must(client.DeleteFileWithResponse(ctx, index, job.Id, nil))
	must(client.DeleteIndexWithResponse(ctx, index, nil))
	fmt.Println("deleted")
}
