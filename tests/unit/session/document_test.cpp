#include "core/session/document.h"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace ls::session {
namespace {

class Scratch : public ::testing::Test {
protected:
    void SetUp() override {
        folder = std::filesystem::temp_directory_path() / ("ls_document_test_" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder);
    }
    void TearDown() override { std::filesystem::remove_all(folder); }
    std::filesystem::path folder;
};

DocumentState with_text(const Document& d, std::string text) {
    DocumentState next = d.state();
    next.text = std::move(text);
    return next;
}

TEST(DocumentUndo, StepsBackAndForwardThroughNamedSteps) {
    Document d = Document::untitled(DocumentKind::Layout, "a");
    d.edit("type", with_text(d, "ab"));
    d.edit("paste", with_text(d, "abc"));
    EXPECT_EQ(d.undo_name(), "paste");
    d.undo();
    EXPECT_EQ(d.state().text, "ab");
    EXPECT_EQ(d.redo_name(), "paste");
    d.undo();
    EXPECT_EQ(d.state().text, "a");
    EXPECT_FALSE(d.can_undo());
    d.redo();
    d.redo();
    EXPECT_EQ(d.state().text, "abc");
}

TEST(DocumentUndo, MergesTypingUntilTheMergeIsClosed) {
    Document d = Document::untitled(DocumentKind::Layout, "");
    d.edit("type", with_text(d, "n"), "typing");
    d.edit("type", with_text(d, "nz"), "typing");
    d.close_merge();
    d.edit("type", with_text(d, "nz("), "typing");
    d.undo();
    EXPECT_EQ(d.state().text, "nz");
    d.undo();
    EXPECT_EQ(d.state().text, "");
}

TEST(DocumentUndo, AnEditAfterUndoDropsWhatWasUndone) {
    Document d = Document::untitled(DocumentKind::Layout, "a");
    d.edit("one", with_text(d, "b"));
    d.undo();
    d.edit("two", with_text(d, "c"));
    EXPECT_FALSE(d.can_redo());
    d.undo();
    EXPECT_EQ(d.state().text, "a");
}

TEST_F(Scratch, ModifiedFollowsTheSavedStepThroughUndo) {
    Document d = Document::untitled(DocumentKind::Layout, "a");
    EXPECT_FALSE(d.modified());
    d.edit("one", with_text(d, "b"));
    ASSERT_TRUE(d.save(folder / "x.lsc").ok());
    EXPECT_FALSE(d.modified());
    d.undo();
    EXPECT_TRUE(d.modified());
    d.redo();
    EXPECT_FALSE(d.modified());
    d.undo();
    d.edit("other", with_text(d, "z")); // the saved state can never come back
    d.undo();
    EXPECT_TRUE(d.modified());
}

TEST_F(Scratch, SavedProjectsOpenAsTheyWere) {
    Document d = Document::untitled(DocumentKind::Program, "line\n", "kernel");
    DocumentState next = d.state();
    next.view["stage"] = 15;
    d.edit("step", next);
    ASSERT_TRUE(d.save(folder / "k.lsc").ok());
    const auto again = Document::open(folder / "k.lsc");
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->state(), d.state());
    EXPECT_EQ(again->title(), "kernel");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1) << "no temporary file is left";
}

TEST_F(Scratch, RefusalsSayWhichFileAndWhy) {
    EXPECT_EQ(Document::open(folder / "none.py").error().code, "DOC_UNREADABLE");
    EXPECT_EQ(Document::open(folder).error().code, "DUMP_EMPTY");
    std::ofstream(folder / "bad.lsc") << "{";
    EXPECT_EQ(Document::open(folder / "bad.lsc").error().code, "DOC_FORMAT");
    std::ofstream(folder / "new.lsc") << R"({"layoutscope": 99, "kind": "layout"})";
    EXPECT_EQ(Document::open(folder / "new.lsc").error().code, "DOC_VERSION");
    EXPECT_EQ(write_file_atomically(folder / "no" / "where", "x").error().code, "DOC_UNWRITABLE");
}

TEST_F(Scratch, AutosaveBringsBackEveryOpenDocument) {
    const Autosave autosave(folder / "deep" / "autosave.json");
    ASSERT_TRUE(autosave.restore().ok());
    EXPECT_TRUE(autosave.restore()->empty());
    const Document a = Document::untitled(DocumentKind::Layout, "S[8:1]");
    const Document b = Document::untitled(DocumentKind::UbModel, "{\xff}", "odd bytes");
    ASSERT_TRUE(autosave.store({&a, &b}).ok());
    const auto back = autosave.restore();
    ASSERT_TRUE(back.ok());
    ASSERT_EQ(back->size(), 2U);
    EXPECT_EQ((*back)[0].state().text, "S[8:1]");
    EXPECT_EQ((*back)[1].title(), "odd bytes");
    autosave.discard();
    EXPECT_TRUE(autosave.restore()->empty());
}

TEST(GuessKind, LooksAtNameThenContent) {
    EXPECT_EQ(guess_kind("a.pto", ""), DocumentKind::Program);
    EXPECT_EQ(guess_kind("a.ub.json", "{}"), DocumentKind::UbModel);
    EXPECT_EQ(guess_kind("a.txt", "import pypto.language as pl"), DocumentKind::Program);
    EXPECT_EQ(guess_kind("a.txt", "nz(64, 64, f16)"), DocumentKind::Layout);
}

} // namespace
} // namespace ls::session
